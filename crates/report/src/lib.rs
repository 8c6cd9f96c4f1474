//! What users see: diagnostics with source excerpts, graphs, JSON.
