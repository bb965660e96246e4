// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a program comes to its environment: as a whole, or by asking the library about it.

use crate::syntax::{Global, Program};

/// Functions of the library that give out or change what `environ` leads to.
const ASKING: [&str; 7] =
    ["getenv", "secure_getenv", "__secure_getenv", "setenv", "putenv", "unsetenv", "clearenv"];

/// Whether a variable is the library's list of the environment.
pub fn is_list(global: &Global) -> bool {
    global.init.is_none() && matches!(&*global.name, "environ" | "__environ" | "_environ")
}

/// Whether the program can see its whole environment: by the third parameter of `main`, or by `environ`.
pub fn is_seen(program: &Program) -> bool {
    let main = program.functions.iter().find(|f| &*f.name == "main");
    let third = main.and_then(|f| f.body.as_ref()).is_some_and(|body| body.parameters > 2);
    third || program.globals.iter().any(is_list)
}

/// Whether the program asks the library about its environment, or has it change that.
pub fn is_asked(program: &Program) -> bool {
    program.functions.iter().any(|function| ASKING.contains(&&*function.name))
}
