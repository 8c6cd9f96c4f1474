//! Where the boxes and lines of a graph go.
//!
//! Boxes stand in rows, each below all boxes that lead to it by forward edges. An edge to the next row is drawn directly; longer ones run
//! down a lane left of all boxes, back edges up a lane right of them, so no line crosses a box. Time and space are about linear.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::view::{Edge, View, shortened};

/// The width of a character and the height of a line, in pixels of the drawing.
pub(super) const CHARACTER: f64 = 7.25;
pub(super) const LINE: f64 = 15.0;
/// The space inside a box around its text.
pub(super) const PADDING: f64 = 8.0;
/// The width of a character of a guard.
const SMALL_CHARACTER: f64 = 6.1;
/// How many characters of a guard are drawn.
const MAX_GUARD: usize = 24;
const ROW_GAP: f64 = 56.0;
const BOX_GAP: f64 = 40.0;
const LANE: f64 = 12.0;
const MARGIN: f64 = 20.0;

/// A box.
#[derive(Clone, Copy, Default)]
pub(super) struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    fn center(&self) -> f64 {
        self.x + self.width / 2.0
    }
    fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// The way of an edge.
pub(super) enum Route {
    /// From a bottom to the top in the next row.
    Direct([(f64, f64); 2]),
    /// Along a lane.
    Lane([(f64, f64); 6]),
}

/// A drawing.
pub(super) struct Layout {
    /// For each node.
    pub boxes: Vec<Rect>,
    /// For each edge.
    pub routes: Vec<Route>,
    pub width: f64,
    pub height: f64,
}

impl Layout {
    pub fn new(view: &View) -> Self {
        let mut boxes: Vec<Rect> = view.nodes.iter().map(|node| size(&node.drawn())).collect();
        let mut slots = vec![0.0; boxes.len()];
        for edge in &view.edges {
            slots[edge.from] += slot(edge);
        }
        boxes.iter_mut().zip(slots).for_each(|(rect, slots)| rect.width = rect.width.max(slots + 2.0 * PADDING));
        let rows = rows(view);
        place(view, &rows, &mut boxes);
        let row_of = row_numbers(&rows, boxes.len());
        let lanes = Lanes::new(&view.edges, &row_of);
        let left = MARGIN + LANE * lanes.left as f64;
        let lowest = boxes.iter().map(|rect| rect.x).fold(f64::INFINITY, f64::min);
        boxes.iter_mut().for_each(|rect| rect.x += left + LANE - lowest);
        let right = boxes.iter().map(|rect| rect.x + rect.width).fold(0.0, f64::max) + LANE;
        let bottoms: Vec<f64> = rows.iter().map(|row| row.iter().map(|&node| boxes[node].bottom()).fold(0.0, f64::max)).collect();
        let along = |edge: &Edge, (exit, entry): (f64, f64), x: f64, lane: usize| {
            // The upper part of a gap between rows is for lines that leave, the lower one for lines that arrive.
            let shift = 3.0 * (lane % 6) as f64;
            let (from, to) = (boxes[edge.from].bottom(), boxes[edge.to].y);
            let (leave, arrive) = (bottoms[row_of[edge.from]] + 16.0 + shift, to - 8.0 - shift / 2.0);
            Route::Lane([(exit, from), (exit, leave), (x, leave), (x, arrive), (entry, arrive), (entry, to)])
        };
        let ports = ports(view, &boxes, &lanes.of);
        let routes = view.edges.iter().zip(&lanes.of).zip(ports).map(|((edge, lane), port)| match *lane {
            Lane::None => Route::Direct([(port.0, boxes[edge.from].bottom()), (port.1, boxes[edge.to].y)]),
            Lane::Left(number) => along(edge, port, left - LANE * number as f64, number),
            Lane::Right(number) => along(edge, port, right + LANE * number as f64, number),
        });
        let routes = routes.collect();
        let width = right + LANE * lanes.right as f64 + MARGIN;
        let height = boxes.iter().map(Rect::bottom).fold(0.0, f64::max) + ROW_GAP;
        Layout { boxes, routes, width, height }
    }
}

fn size(lines: &[String]) -> Rect {
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = columns as f64 * CHARACTER + 2.0 * PADDING;
    Rect { width, height: lines.len() as f64 * LINE + 2.0 * PADDING, ..Rect::default() }
}

/// The nodes of each row: a node is one row below the lowest of its forward predecessors.
fn rows(view: &View) -> Vec<Vec<usize>> {
    let mut row_of = vec![0; view.nodes.len()];
    // Edges come by source and forward ones lead to later nodes, so a source's row is final when its edges come.
    for edge in view.edges.iter().filter(|edge| !edge.is_back) {
        row_of[edge.to] = row_of[edge.to].max(row_of[edge.from] + 1);
    }
    let mut rows = vec![Vec::new(); row_of.iter().max().map_or(0, |last| last + 1)];
    for (node, row) in row_of.into_iter().enumerate() {
        rows[row].push(node);
    }
    rows
}

fn row_numbers(rows: &[Vec<usize>], count: usize) -> Vec<usize> {
    let mut numbers = vec![0; count];
    for (number, row) in rows.iter().enumerate() {
        row.iter().for_each(|&node| numbers[node] = number);
    }
    numbers
}

/// Gives the boxes their places: row by row, each box below the middle of its predecessors as far as there is room.
fn place(view: &View, rows: &[Vec<usize>], boxes: &mut [Rect]) {
    let mut predecessors = vec![Vec::new(); boxes.len()];
    for edge in view.edges.iter().filter(|edge| !edge.is_back) {
        predecessors[edge.to].push(edge.from);
    }
    let mut y = MARGIN;
    for row in rows {
        let wish = |node: usize, boxes: &[Rect]| {
            let before = &predecessors[node];
            before.iter().map(|&node| boxes[node].center()).sum::<f64>() / before.len().max(1) as f64
        };
        let mut wishes: Vec<(f64, usize)> = row.iter().map(|&node| (wish(node, boxes), node)).collect();
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut free = f64::NEG_INFINITY;
        let mut error = 0.0;
        for &(wish, node) in &wishes {
            let rect = &mut boxes[node];
            rect.x = free.max(wish - rect.width / 2.0);
            rect.y = y;
            free = rect.x + rect.width + BOX_GAP;
            error += rect.center() - wish;
        }
        // Boxes were pushed to the right only; the row as a whole goes back to the middle.
        let shift = error / row.len().max(1) as f64;
        row.iter().for_each(|&node| boxes[node].x -= shift);
        y = row.iter().map(|&node| boxes[node].bottom()).fold(y, f64::max) + ROW_GAP;
    }
}

/// Where each edge leaves the bottom and enters the top of a box: side by side, in the order of where they go and come from.
fn ports(view: &View, boxes: &[Rect], lanes: &[Lane]) -> Vec<(f64, f64)> {
    let (mut leaving, mut entering) = (vec![Vec::new(); boxes.len()], vec![Vec::new(); boxes.len()]);
    for (index, (edge, lane)) in view.edges.iter().zip(lanes).enumerate() {
        let toward = |node: usize| match lane {
            Lane::None => boxes[node].center(),
            Lane::Left(_) => f64::NEG_INFINITY,
            Lane::Right(_) => f64::INFINITY,
        };
        leaving[edge.from].push((toward(edge.to), index));
        entering[edge.to].push((toward(edge.from), index));
    }
    let mut result = vec![(0.0, 0.0); view.edges.len()];
    for (rect, ports) in boxes.iter().zip(&mut leaving) {
        ports.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let needed: f64 = ports.iter().map(|(_, index)| slot(&view.edges[*index])).sum();
        let spare = (rect.width - needed) / (ports.len() + 1) as f64;
        let mut x = rect.x + spare.max(PADDING);
        for (_, index) in ports {
            result[*index].0 = x;
            x += slot(&view.edges[*index]) + spare;
        }
    }
    for (rect, ports) in boxes.iter().zip(&mut entering) {
        ports.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let step = rect.width / (ports.len() + 1) as f64;
        for ((_, index), number) in ports.iter().zip(1..) {
            result[*index].1 = rect.x + step * f64::from(number);
        }
    }
    result
}

/// The room below a box that an edge and its guard need.
fn slot(edge: &Edge) -> f64 {
    match shown_guard(edge).chars().count() {
        0 => 0.0,
        characters => characters as f64 * SMALL_CHARACTER + PADDING,
    }
}

/// The beginning of a guard, as far as it is drawn beside its edge.
pub(super) fn shown_guard(edge: &Edge) -> String {
    shortened(&edge.guard, MAX_GUARD)
}

#[derive(Clone, Copy)]
enum Lane {
    None,
    Left(usize),
    Right(usize),
}

/// The lanes of the edges, and how many there are on each side.
struct Lanes {
    of: Vec<Lane>,
    left: usize,
    right: usize,
}

impl Lanes {
    fn new(edges: &[Edge], row_of: &[usize]) -> Self {
        let mut of = vec![Lane::None; edges.len()];
        let stretch = |edge: &Edge| {
            let (from, to) = (row_of[edge.from], row_of[edge.to]);
            (from.min(to), from.max(to))
        };
        let long = |edge: &Edge| !edge.is_back && row_of[edge.to] > row_of[edge.from] + 1;
        let long = edges.iter().enumerate().filter(|(_, edge)| long(edge));
        let left = share(long.map(|(index, edge)| (stretch(edge), index)), |index, lane| of[index] = Lane::Left(lane));
        let back = edges.iter().enumerate().filter(|(_, edge)| edge.is_back);
        let right = share(back.map(|(index, edge)| (stretch(edge), index)), |index, lane| of[index] = Lane::Right(lane));
        Lanes { of, left, right }
    }
}

/// Gives lanes to stretches so that those in one lane do not overlap; returns how many there are.
fn share(stretches: impl Iterator<Item = ((usize, usize), usize)>, mut assign: impl FnMut(usize, usize)) -> usize {
    let mut stretches: Vec<_> = stretches.collect();
    stretches.sort_unstable();
    let mut busy: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
    let mut lanes = 0;
    for ((start, end), index) in stretches {
        let lane = match busy.peek() {
            Some(&Reverse((until, lane))) if until < start => {
                busy.pop();
                lane
            }
            _ => {
                lanes += 1;
                lanes - 1
            }
        };
        busy.push(Reverse((end, lane)));
        assign(index, lane);
    }
    lanes
}
