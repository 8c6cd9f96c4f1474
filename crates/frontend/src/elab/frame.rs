//! What functions inside a function use of it: its *frame*, a record with the addresses of variables and labels. The pointers are set
//! where the lives of the variables begin. Deeper functions find outer frames through inner ones: a frame pointer is a variable like others.

use model::{
    BlockId, Body, Command, CommandKind, ExprId, ExprKind, Field, Layout, LocalId, PlaceId, PlaceKind, Record, RecordId, RecordKind, Span,
    Type, TypeId,
};

use super::Elaborator;
use super::builder::Builder;
use super::ctype::Ty;
use super::scope::Variable;

/// What inner functions need of a function, in the order of the record's fields. All have the size of a pointer.
#[derive(Clone, Debug)]
pub struct Frame {
    record: RecordId,
    /// The variable that is the frame.
    local: LocalId,
    fields: Vec<(Capture, TypeId)>,
}

/// What a field of a frame holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// The address of a variable.
    Variable(LocalId),
    /// The address of a label.
    Label(u32),
    /// 1 + the number of the label where control goes next; 0 if it goes on as usual.
    Target,
}

impl Elaborator<'_> {
    /// How many functions we are in.
    pub fn level(&self) -> u32 {
        self.unit.suspended.len() as u32
    }

    /// Begins a function; the current one waits.
    pub fn suspend(&mut self, mut builder: Builder) {
        let outer = &self.unit.builder;
        builder.outer_lengths = outer.outer_lengths + outer.lengths.len() as u32;
        let outer = std::mem::replace(&mut self.unit.builder, builder);
        self.unit.suspended.push(outer);
    }

    /// Ends a function and goes on with the one that waits.
    pub fn resume(&mut self) -> Builder {
        let outer = self.unit.suspended.pop().unwrap_or_else(|| Builder::new(None, String::new(), Ty::VOID.into()));
        std::mem::replace(&mut self.unit.builder, outer)
    }

    /// The builder of a function that we are in.
    pub fn builder_at(&mut self, level: u32) -> &mut Builder {
        let unit = &mut *self.unit;
        unit.suspended.get_mut(level as usize).unwrap_or(&mut unit.builder)
    }

    /// A parameter or variable, of this function or one around it.
    pub fn variable_place(&mut self, variable: Variable, volatile: bool, span: Span) -> PlaceId {
        let Variable { level, local } = variable;
        let ty = self.builder_at(level).body.locals[local].ty;
        let kind = match level == self.level() {
            true => PlaceKind::Local(local),
            false => PlaceKind::Deref(self.captured(level, Capture::Variable(local), span)),
        };
        self.unit.builder.place(kind, ty, volatile, span)
    }

    /// The number of elements of a variable array of this function or one around it.
    pub fn variable_length(&mut self, index: u32, span: Span) -> Option<ExprId> {
        let mut level = self.level();
        while self.builder_at(level).outer_lengths > index {
            level = level.checked_sub(1)?;
        }
        let here = self.level();
        let outer = self.builder_at(level);
        let length = *outer.lengths.get((index - outer.outer_lengths) as usize)?;
        if level == here {
            return Some(length);
        }
        let length = outer.body.exprs[length].clone();
        match length.kind {
            ExprKind::Load(place) => {
                let PlaceKind::Local(local) = outer.body.places[place].kind else { return None };
                // Its address is taken now.
                outer.body.locals[local].temporary = false;
                let place = self.variable_place(Variable { level, local }, false, span);
                Some(self.make(ExprKind::Load(place), length.ty, span))
            }
            ExprKind::Int(_) => Some(self.make(length.kind, length.ty, span)),
            _ => None,
        }
    }

    /// The type of pointers to the frame of a function that we are in.
    pub fn frame_pointer_type(&mut self, level: u32) -> TypeId {
        let record = self.frame_at(level).record;
        let record = self.unit.program.types.intern(Type::Record(record));
        self.unit.program.types.pointer(record)
    }

    /// The address of the frame of a function that we are in.
    pub fn frame_pointer(&mut self, level: u32, span: Span) -> ExprId {
        let here = self.level();
        if level == here {
            let local = self.frame_at(level).local;
            let (place, ty) = (self.local_place(local, span), self.frame_pointer_type(level));
            return self.make(ExprKind::AddressOf(place), ty, span);
        }
        let mut pointer = self.load_local(self.unit.builder.outer_frame, span);
        for at in (level + 1..here).rev() {
            let outer_frame = self.builder_at(at).outer_frame;
            let address = self.load_field(at, pointer, Capture::Variable(outer_frame), span);
            let ty = self.frame_pointer_type(at - 1);
            let place = self.unit.builder.place(PlaceKind::Deref(address), ty, false, span);
            pointer = self.make(ExprKind::Load(place), ty, span);
        }
        pointer
    }

    /// What a frame holds of something.
    pub fn captured(&mut self, level: u32, capture: Capture, span: Span) -> ExprId {
        let pointer = self.frame_pointer(level, span);
        self.load_field(level, pointer, capture, span)
    }

    /// The field of a frame that holds something.
    pub fn captured_field(&mut self, level: u32, capture: Capture, span: Span) -> PlaceId {
        let pointer = self.frame_pointer(level, span);
        self.field_place(level, pointer, capture, span)
    }

    fn load_field(&mut self, level: u32, frame: ExprId, capture: Capture, span: Span) -> ExprId {
        let place = self.field_place(level, frame, capture, span);
        let ty = self.unit.builder.body.places[place].ty;
        self.make(ExprKind::Load(place), ty, span)
    }

    fn field_place(&mut self, level: u32, frame: ExprId, capture: Capture, span: Span) -> PlaceId {
        let (index, ty) = self.frame_field(level, capture);
        let record = self.frame_at(level).record;
        let record = self.unit.program.types.intern(Type::Record(record));
        let base = match self.unit.builder.body.exprs[frame].kind {
            ExprKind::AddressOf(place) => place,
            _ => self.unit.builder.place(PlaceKind::Deref(frame), record, false, span),
        };
        self.unit.builder.place(PlaceKind::Field(base, index), ty, false, span)
    }

    /// The position and type of a field, added if it is new.
    fn frame_field(&mut self, level: u32, capture: Capture) -> (u32, TypeId) {
        let known = self.frame_at(level).fields.iter().position(|(known, _)| *known == capture);
        if let Some(index) = known {
            return (index as u32, self.frame_at(level).fields[index].1);
        }
        let ty = match capture {
            Capture::Variable(local) => {
                let ty = self.builder_at(level).body.locals[local].ty;
                self.unit.program.types.pointer(ty)
            }
            Capture::Label(_) => {
                let void = self.unit.program.types.void();
                self.unit.program.types.pointer(void)
            }
            Capture::Target => {
                let size_type = self.unit.types.size_type();
                self.lower(size_type)
            }
        };
        let fields = &mut self.frame_at(level).fields;
        fields.push((capture, ty));
        (fields.len() as u32 - 1, ty)
    }

    fn frame_at(&mut self, level: u32) -> &mut Frame {
        let frame = match self.builder_at(level).frame.take() {
            Some(frame) => frame,
            None => self.new_frame(level),
        };
        self.builder_at(level).frame.insert(frame)
    }

    fn new_frame(&mut self, level: u32) -> Frame {
        let function = self.builder_at(level).function.map_or("", |function| &self.unit.program.functions[function].name);
        let record = Record { kind: RecordKind::Struct, name: format!("{function} frame"), layout: None, span: Span::NONE };
        let record = self.unit.program.types.add_record(record);
        let ty = self.unit.program.types.intern(Type::Record(record));
        let local = self.builder_at(level).local(String::new(), ty, false, Span::NONE);
        Frame { record, local, fields: Vec::new() }
    }

    /// The function is complete: the frame gets its layout, and the commands that fill it.
    pub fn fill_frame(&mut self) {
        let Some(frame) = self.unit.builder.frame.clone() else { return };
        let bytes = self.unit.program.types.target().pointer_bytes();
        let fields: Vec<Field> = frame
            .fields
            .iter()
            .zip(0u64..)
            .map(|((capture, ty), index)| Field { name: self.field_name(*capture), ty: *ty, offset: index * bytes, bit: None })
            .collect();
        let size = bytes * fields.len() as u64;
        self.unit.program.types.record_mut(frame.record).layout = Some(Layout { fields, size, align: bytes });
        let births = births(&self.unit.builder.body, &frame);
        for (block, position, index) in births.iter().rev() {
            let command = self.fill_field(&frame, *index);
            self.unit.builder.body.blocks[*block].commands.insert(position + 1, command);
        }
        // What has no birth lives as long as the call.
        let born: Vec<usize> = births.iter().map(|(.., index)| *index).collect();
        let others: Vec<usize> = (0..frame.fields.len()).filter(|index| !born.contains(index)).collect();
        let commands: Vec<Command> = others.into_iter().map(|index| self.fill_field(&frame, index)).collect();
        self.unit.builder.body.blocks[Body::ENTRY].commands.splice(0..0, commands);
    }

    fn field_name(&self, capture: Capture) -> String {
        match capture {
            Capture::Variable(local) => self.unit.builder.body.locals[local].name.clone(),
            Capture::Label(label) => self.name(self.unit.builder.labels[label as usize].name).to_string(),
            Capture::Target => String::new(),
        }
    }

    fn fill_field(&mut self, frame: &Frame, index: usize) -> Command {
        let (capture, ty) = frame.fields[index];
        let span = match capture {
            Capture::Variable(local) => self.unit.builder.body.locals[local].span,
            _ => Span::NONE,
        };
        let src = match capture {
            Capture::Variable(local) => {
                let place = self.local_place(local, span);
                let exact = self.unit.program.types.pointer(self.unit.builder.body.locals[local].ty);
                let address = self.make(ExprKind::AddressOf(place), exact, span);
                self.cast_model(address, ty, span)
            }
            Capture::Label(label) => {
                let block = self.unit.builder.labels[label as usize].block;
                self.make(ExprKind::Label(block), ty, span)
            }
            Capture::Target => self.make(ExprKind::Int(0), ty, span),
        };
        let base = self.local_place(frame.local, span);
        let dst = self.unit.builder.place(PlaceKind::Field(base, index as u32), ty, false, span);
        Command { kind: CommandKind::Assign { dst, src }, span }
    }
}

/// Where the lives of captured variables begin: block, position there, and field.
fn births(body: &Body, frame: &Frame) -> Vec<(BlockId, usize, usize)> {
    let mut births = Vec::new();
    for (id, block) in body.blocks.enumerate() {
        for (position, command) in block.commands.iter().enumerate() {
            let (CommandKind::Live(local) | CommandKind::LiveArray(local, _)) = command.kind else { continue };
            let field = frame.fields.iter().position(|(capture, _)| *capture == Capture::Variable(local));
            births.extend(field.map(|field| (id, position, field)));
        }
    }
    births
}
