// SPDX-License-Identifier: MIT OR Apache-2.0
//! How `check` reports: the form, and where it goes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
pub struct ReportFlags {
    /// The form of the report
    #[arg(long, value_name = "FORM", default_value = "text", help_heading = "Report")]
    pub format: ReportFormat,
    /// Write the report to a file
    #[arg(long, short, value_name = "FILE", help_heading = "Report")]
    pub output: Option<PathBuf>,
    /// Open questions too, as notes, in the forms for other tools (sarif, gcc, codeclimate)
    #[arg(long, help_heading = "Report")]
    pub with_open: bool,
    /// Findings too that a comment or the baseline suppresses, marked as such (sarif)
    #[arg(long, help_heading = "Report")]
    pub sarif_suppressed: bool,
    /// Which analysis this is, where there are several of one commit (sarif) [default: clew]
    #[arg(long, value_name = "NAME", help_heading = "Report")]
    pub category: Option<String>,
    /// Findings and open questions that are known: they are counted, and not shown
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub baseline: Option<PathBuf>,
    /// Write the baseline anew from what is violated or open now
    #[arg(long, requires = "baseline", help_heading = "Report")]
    pub update_baseline: bool,
    /// Only findings that have to do with lines that are changed since this revision (git); the rest is counted
    #[arg(long, value_name = "REV", help_heading = "Report")]
    pub changed_since: Option<String>,
    /// Files of the project that are not read: a path or the beginning of one, `*` for anything; may be given several times
    #[arg(long, value_name = "PATH", help_heading = "Project")]
    pub exclude: Vec<PathBuf>,
    /// The configuration [default: the clew.toml of the project's folder, or of one that it lies in]
    #[arg(long, value_name = "FILE", help_heading = "Project", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Read no clew.toml
    #[arg(long, help_heading = "Project")]
    pub no_config: bool,
    /// Read the text of this file from standard input: an editor's buffer
    #[arg(long, value_name = "FILE", hide = true)]
    pub overlay: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// For programs, by docs/report.schema.json
    Json,
    /// SARIF 2.1.0, for code scanning (docs/sarif.md)
    Sarif,
    /// One line a finding, as compilers write them
    Gcc,
    /// CodeClimate's JSON, for GitLab
    #[value(name = "codeclimate")]
    CodeClimate,
}
