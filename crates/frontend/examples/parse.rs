// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses the files given and prints their messages and the rate: the quickest look at the front end.

use std::time::Instant;

use clew_frontend::{Command, DiskFiles, parse_unit};

fn main() {
    let files = DiskFiles::new();
    for name in std::env::args().skip(1) {
        let start = Instant::now();
        match parse_unit(&Command::new(&name), &files) {
            Ok(unit) => {
                let map = unit.source_map();
                for warning in &unit.warnings {
                    println!("{}", warning.display(&map));
                }
                let seconds = start.elapsed().as_secs_f64();
                let rate = unit.lines as f64 / seconds;
                println!(
                    "{name}: {:?}, {} lines, {seconds:.3} s, {rate:.0} lines/s",
                    unit.tast.counts(),
                    unit.lines
                );
            }
            Err(failure) => println!("{failure}\n{name}: {:.3} s", start.elapsed().as_secs_f64()),
        }
    }
}
