// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fetches and builds the real code that clew is judged on, under `bench/work`, which git ignores.
//!
//! GSL, zlib and bc come as Debian source packages through a private apt configuration, so that the system's own
//! files stay as they are. SQLite's amalgamation comes with the crate `libsqlite3-sys`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::clew::root;
use crate::compile_log::{self, CompileCommand};

/// Debian's release whose sources are used: versions stay put within one.
const DEBIAN: &str = "deb-src http://deb.debian.org/debian bookworm main\n";
/// The crate that carries SQLite's amalgamation.
const SQLITE_CRATE: &str = "libsqlite3-sys = { version = \"=0.39.1\", features = [\"bundled\"] }";

/// A piece of real code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Project {
    /// The GNU Scientific Library 2.7.1.
    Gsl,
    /// SQLite's amalgamation.
    Sqlite,
    /// zlib.
    Zlib,
    /// GNU bc and dc.
    Bc,
}

/// A project that was fetched and built.
#[derive(Debug)]
pub struct Built {
    /// Its source tree, with the build in place.
    pub folder: PathBuf,
    /// What the build compiled.
    pub commands: Vec<CompileCommand>,
}

impl Project {
    /// All of them.
    pub const ALL: [Project; 4] = [Project::Zlib, Project::Bc, Project::Sqlite, Project::Gsl];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Project::Gsl => "gsl",
            Project::Sqlite => "sqlite",
            Project::Zlib => "zlib",
            Project::Bc => "bc",
        }
    }

    /// Where its source tree is.
    pub fn folder(self) -> PathBuf {
        work_folder().join(self.name())
    }

    /// Fetches and builds it, unless that was done before.
    pub fn prepare(self) -> Result<Built> {
        let folder = self.folder();
        let database = folder.join("compile_commands.json");
        if !database.exists() {
            eprintln!("fetching and building {}", self.name());
            std::fs::create_dir_all(work_folder())?;
            self.fetch(&folder).with_context(|| format!("cannot fetch {}", self.name()))?;
            let commands = self.build(&folder).with_context(|| format!("cannot build {}", self.name()))?;
            compile_log::write_database(&commands, &database)?;
        }
        Ok(Built { commands: compile_log::read_database(&database)?, folder })
    }

    fn fetch(self, folder: &Path) -> Result<()> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        match self {
            Project::Sqlite => fetch_sqlite(folder),
            Project::Gsl | Project::Zlib | Project::Bc => fetch_debian(self.name(), folder),
        }
    }

    fn build(self, folder: &Path) -> Result<Vec<CompileCommand>> {
        let recorder = Recorder::new(self)?;
        match self {
            Project::Zlib => {
                recorder.configure(folder, &["--static"])?;
                recorder.run(folder, "make", &["libz.a", "example", "minigzip"])?;
            }
            Project::Bc => {
                recorder.configure(folder, &["CFLAGS=-O0 -g"])?;
                // The documentation needs makeinfo, so only the folders with code are built.
                for part in ["lib", "bc", "dc"] {
                    recorder.run(&folder.join(part), "make", &[])?;
                }
            }
            Project::Gsl => {
                recorder.configure(folder, &["--disable-shared", "CFLAGS=-O0 -g"])?;
                // Debian strips the documentation for its licence but leaves its makefile.
                std::fs::write(folder.join("doc/Makefile"), "all check:\n")?;
                recorder.run(folder, "make", &["-j2"])?;
                recorder.run(&folder.join("specfunc"), "make", &["check", "TESTS="])?;
            }
            Project::Sqlite => {
                recorder.run(folder, &recorder.wrapper, &["-O0", "-g", "-c", "sqlite3.c"])?;
            }
        }
        let log = std::fs::read_to_string(&recorder.log).context("the build compiled nothing")?;
        Ok(compile_log::read_log(&log))
    }
}

/// Where everything fetched goes.
pub fn work_folder() -> PathBuf {
    root().join("bench/work")
}

/// Runs build steps with the compiler's calls written down.
struct Recorder {
    wrapper: PathBuf,
    log: PathBuf,
}

impl Recorder {
    fn new(project: Project) -> Result<Recorder> {
        let folder = work_folder().join("log");
        std::fs::create_dir_all(&folder)?;
        let recorder = Recorder { wrapper: folder.join("cc"), log: folder.join(project.name()) };
        compile_log::write_wrapper(&recorder.wrapper)?;
        if recorder.log.exists() {
            std::fs::remove_file(&recorder.log)?;
        }
        Ok(recorder)
    }

    /// Configures with the wrapper as compiler but without a log: configure's own tests are not the project.
    fn configure(&self, folder: &Path, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new("./configure");
        command.args(arguments).env("CC", &self.wrapper).current_dir(folder);
        quietly(&mut command)
    }

    fn run(&self, folder: &Path, program: impl AsRef<OsStr>, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(program);
        command.args(arguments).env("CLEW_CC_LOG", &self.log).current_dir(folder);
        quietly(&mut command)
    }
}

/// Runs a command and shows what it said only if it fails.
fn quietly(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {name}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let tail: Vec<&str> = text.lines().rev().take(20).collect();
    bail!("{name} failed ({}):\n{}", output.status, tail.into_iter().rev().collect::<Vec<_>>().join("\n"))
}

/// Downloads a Debian source package and unpacks the upstream part of it.
fn fetch_debian(package: &str, folder: &Path) -> Result<()> {
    let apt = Apt::new()?;
    let downloads = work_folder().join("downloads").join(package);
    std::fs::create_dir_all(&downloads)?;
    apt.run(&downloads, &["source", "--download-only", package])?;
    let archive = std::fs::read_dir(&downloads)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.to_string_lossy().contains(".orig.tar."))
        .with_context(|| format!("no upstream archive of {package}"))?;
    std::fs::create_dir_all(folder)?;
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(archive).arg("--strip-components=1").arg("-C").arg(folder);
    quietly(&mut tar)
}

/// apt with lists and caches of its own.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    fn new() -> Result<Apt> {
        let apt = Apt { folder: work_folder().join("apt") };
        for part in ["lists/partial", "cache/archives/partial", "parts"] {
            std::fs::create_dir_all(apt.folder.join(part))?;
        }
        let list = apt.folder.join("sources.list");
        if !list.exists() || std::fs::read_to_string(&list)? != DEBIAN {
            std::fs::write(&list, DEBIAN)?;
        }
        apt.run(&apt.folder, &["update"])?;
        Ok(apt)
    }

    fn run(&self, directory: &Path, arguments: &[&str]) -> Result<()> {
        let place = |part: &str| self.folder.join(part).display().to_string();
        let mut command = Command::new("apt-get");
        command
            .arg("-qq")
            .arg(format!("-oDir::Etc::SourceList={}", place("sources.list")))
            .arg(format!("-oDir::Etc::SourceParts={}", place("parts")))
            .arg(format!("-oDir::State::Lists={}", place("lists")))
            .arg(format!("-oDir::Cache={}", place("cache")))
            // The private folders need not be readable for apt's own user.
            .arg("-oAPT::Sandbox::User=root")
            .args(arguments)
            .current_dir(directory);
        quietly(&mut command)
    }
}

/// Lets cargo download the crate and copies the amalgamation out of it.
fn fetch_sqlite(folder: &Path) -> Result<()> {
    let scratch = work_folder().join("sqlite-crate");
    std::fs::create_dir_all(scratch.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{SQLITE_CRATE}\n\n[workspace]\n"
    );
    std::fs::write(scratch.join("Cargo.toml"), manifest)?;
    std::fs::write(scratch.join("src/lib.rs"), "")?;
    let vendor = scratch.join("vendor");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    quietly(Command::new(cargo).arg("vendor").arg(&vendor).current_dir(&scratch))?;
    std::fs::create_dir_all(folder)?;
    for file in ["sqlite3.c", "sqlite3.h"] {
        let from = vendor.join("libsqlite3-sys/sqlite3").join(file);
        std::fs::copy(&from, folder.join(file)).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    Ok(())
}
