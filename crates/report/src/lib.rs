//! What users see: diagnostics with source excerpts, graphs, JSON.

pub mod diagnostic;
pub mod graph;
pub mod json;
