//! What pointers may point to, and the regions of memory.

use model::{FunctionId, Program};
use pointers::{Regions, analyse, print};

/// The variables of these functions; with them, unless they were chosen by name, what all objects hold, and the regions.
pub fn text(program: &Program, functions: impl Iterator<Item = FunctionId>, chosen: bool) -> String {
    let analysis = analyse(program);
    let mut out: String = functions.map(|id| print::function(&analysis, id)).collect();
    if !chosen {
        out.push_str(&print::objects(&analysis));
        out.push_str(&print::regions(&analysis, &Regions::new(&analysis)));
    }
    out
}
