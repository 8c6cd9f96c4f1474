//! Runs of the tool, several at once, each with a limit of time.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::task::Task;

/// How often the runner looks whether the tool has ended.
const PAUSE: Duration = Duration::from_millis(4);

/// How the tool is run.
pub struct Tool {
    pub path: PathBuf,
    /// More options for each task.
    pub options: Vec<String>,
    /// The limit in seconds that the tool is told.
    pub timeout: u64,
    /// What the tool may take longer than it was told.
    pub grace: Duration,
}

/// How a run of the tool ended.
pub struct End {
    /// None if it was ended by a signal.
    pub code: Option<i32>,
    /// Whether it was the runner that ended it.
    pub late: bool,
    pub output: String,
    pub errors: String,
    pub seconds: f64,
    /// The most memory that it used, in megabytes, as far as the runner saw it.
    pub megabytes: f64,
}

impl Tool {
    /// A tool with a limit for each task. One that keeps it needs a moment to say so.
    pub fn new(path: PathBuf, timeout: u64, options: Vec<String>) -> Self {
        Tool { path, options, timeout, grace: Duration::from_secs(5 + timeout / 4) }
    }

    /// The command line for a task.
    pub fn command(&self, task: &Task) -> Vec<String> {
        self.command_line(task.property.command, task.ilp32, &task.files)
    }

    /// The command line with which the tool does something with files.
    pub fn command_line(&self, command: &[&str], ilp32: bool, files: &[PathBuf]) -> Vec<String> {
        let mut words = vec![self.path.display().to_string()];
        words.extend(command.iter().map(ToString::to_string));
        words.extend(["--json".into(), "--timeout".into(), self.timeout.to_string()]);
        words.extend(self.options.iter().cloned());
        words.extend(ilp32.then(|| "--32".into()));
        words.extend(files.iter().map(|file| file.display().to_string()));
        words
    }

    /// Runs a command line.
    pub fn run(&self, words: &[String]) -> Result<End, String> {
        self.try_run(words).map_err(|error| format!("cannot run {}: {error}", self.path.display()))
    }

    fn try_run(&self, words: &[String]) -> io::Result<End> {
        // Files never block the tool, as pipes do that nobody reads.
        let (mut output, mut errors) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let start = Instant::now();
        let mut command = Command::new(&self.path);
        command.args(words.get(1..).unwrap_or_default()).stdin(Stdio::null());
        let mut child = command.stdout(output.try_clone()?).stderr(errors.try_clone()?).spawn()?;
        let mut megabytes = 0.0;
        let (status, late) = wait(&mut child, start + Duration::from_secs(self.timeout) + self.grace, &mut megabytes)?;
        let seconds = start.elapsed().as_secs_f64();
        let code = if late { None } else { status.code() };
        Ok(End { code, late, output: content(&mut output)?, errors: content(&mut errors)?, seconds, megabytes })
    }
}

/// Waits for the end of a process and brings it about when its time is over; says whether it was. Watches the memory.
fn wait(child: &mut Child, deadline: Instant, megabytes: &mut f64) -> io::Result<(ExitStatus, bool)> {
    loop {
        *megabytes = peak(child.id()).unwrap_or(*megabytes);
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            return Ok((child.wait()?, true));
        }
        thread::sleep(PAUSE);
    }
}

/// The most memory that a process has used, in megabytes, if the system tells.
fn peak(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}

fn content(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Does the work for all items, so many at once. The results are in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some((index, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|index| Some((index, items.get(index)?)))
                {
                    let result = work(index, item);
                    results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, timeout: u64) -> End {
        let tool = Tool { path: "sh".into(), options: Vec::new(), timeout, grace: Duration::ZERO };
        tool.run(&["sh".into(), "-c".into(), script.into()]).unwrap()
    }

    #[test]
    fn output_and_code_are_kept() {
        let end = run("echo out; echo err >&2; exit 5", 60);
        assert_eq!((end.code, end.late, end.output.as_str(), end.errors.as_str()), (Some(5), false, "out\n", "err\n"));
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let end = run("echo out; exec sleep 1000", 0);
        assert_eq!((end.code, end.late), (None, true));
        let end = run("kill -9 $$", 60);
        assert_eq!((end.code, end.late), (None, false));
    }

    #[test]
    fn results_are_in_order() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(map(&items, 4, |index, item| index + item), items.iter().map(|item| 2 * item).collect::<Vec<_>>());
        assert!(map(&[] as &[usize], 4, |_, item| *item).is_empty());
    }
}
