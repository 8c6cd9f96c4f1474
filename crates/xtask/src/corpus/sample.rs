//! A sample that has something of every family, and depends on nothing but the tasks and a number.

use std::collections::BTreeMap;

use super::task::Task;

/// Chooses some of the tasks: first one of each family, then from each in proportion to its size. Keeps their order.
pub fn choose(tasks: Vec<Task>, count: usize, seed: u64) -> Vec<Task> {
    let mut families: BTreeMap<&str, Vec<(u64, usize)>> = BTreeMap::new();
    for (index, task) in tasks.iter().enumerate() {
        let key = hash(seed, &format!("{} {}", task.path().file_name().unwrap_or_default().display(), task.property.name));
        families.entry(&task.family).or_default().push((key, index));
    }
    let mut ranks: Vec<(usize, u64, usize)> = Vec::new();
    for members in families.values_mut() {
        members.sort_unstable();
        let size = members.len();
        ranks.extend(members.iter().enumerate().map(|(place, &(key, index))| (place * tasks.len() / size, key, index)));
    }
    ranks.sort_unstable();
    let mut chosen: Vec<usize> = ranks.into_iter().take(count).map(|(_, _, index)| index).collect();
    chosen.sort_unstable();
    let mut chosen = chosen.into_iter().peekable();
    tasks.into_iter().enumerate().filter(|(index, _)| chosen.next_if_eq(index).is_some()).map(|(_, task)| task).collect()
}

/// FNV-1a with the seed in front and the bits mixed at the end.
fn hash(seed: u64, text: &str) -> u64 {
    let bytes = seed.to_le_bytes().into_iter().chain(text.bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (sum ^ (sum >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::super::property;
    use super::super::task::Expected;
    use super::*;

    fn tasks() -> Vec<Task> {
        let property = property::find("unreach-call").unwrap();
        let task = |family: &str, number: usize| Task {
            family: family.into(),
            files: vec![format!("{family}/{number}.c").into()],
            property,
            expected: Expected::True,
            ilp32: false,
        };
        let mut tasks: Vec<Task> = (0..90).map(|number| task("big", number)).collect();
        tasks.extend((0..9).map(|number| task("small", number)));
        tasks.push(task("tiny", 0));
        tasks
    }

    fn names(tasks: &[Task]) -> Vec<String> {
        tasks.iter().map(|task| task.path().display().to_string()).collect()
    }

    #[test]
    fn every_family_has_its_share() {
        let chosen = choose(tasks(), 20, 7);
        let count = |family: &str| chosen.iter().filter(|task| task.family == family).count();
        assert_eq!((count("big"), count("small"), count("tiny")), (17, 2, 1));
        assert_eq!(choose(tasks(), 3, 7).iter().map(|task| task.family.as_str()).collect::<Vec<_>>(), ["big", "small", "tiny"]);
        assert_eq!(choose(tasks(), 1000, 7).len(), 100);
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(names(&choose(tasks(), 20, 7)), names(&choose(tasks(), 20, 7)));
        assert_ne!(names(&choose(tasks(), 20, 7)), names(&choose(tasks(), 20, 8)));
    }
}
