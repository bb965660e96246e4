// SPDX-License-Identifier: MIT OR Apache-2.0
//! The system calls that a program under test must do without.

use std::collections::BTreeMap;
use std::ffi::CStr;

use nix::libc;
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter, sock_filter,
};

use crate::denied_32;

/// Denied whatever their arguments are: other processes, the network, the administration of the machine, and what
/// would lead around the other rules.
const ALWAYS: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_clone3,
    libc::SYS_execveat,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_tkill,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_setpriority,
    libc::SYS_sched_setscheduler,
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_io_uring_setup,
    libc::SYS_userfaultfd,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_mknodat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
];

/// Forbids them to this process from now on. The one exec that is left is that of this very string: the program
/// that is run then has other memory, in which no string stands there.
pub(crate) fn apply(program: &CStr, traces_itself: bool) -> Result<(), Error> {
    let address = program.as_ptr().addr() as u64;
    let other_program = argument_is(0, SeccompCmpOp::Ne, address)?;
    let signals = [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];
    let mut rules = rules(ALWAYS, libc::SYS_clone, libc::SYS_ptrace, signals, traces_itself)?;
    rules.insert(libc::SYS_execve, vec![SeccompRule::new(vec![other_program])?]);
    let own = compiled(rules)?;
    apply_filter(&if cfg!(target_arch = "x86_64") { with_32_bits(own, traces_itself)? } else { own })
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// What holds of calls by their numbers, which depend on the machine.
fn rules(
    always: &[i64],
    clone: i64,
    ptrace: i64,
    signals: [i64; 4],
    traces_itself: bool,
) -> Result<Rules, Error> {
    let own = u64::from(std::process::id());
    let mut rules: Rules = always.iter().map(|call| (*call, Vec::new())).collect();
    // Threads share what the others are denied; new processes do not stay under our eyes. The leak detector looks
    // at a program from a process that shares its memory, which no program makes by accident.
    let mut new_process = vec![flag_is_clear(libc::CLONE_THREAD)?];
    if traces_itself {
        new_process.push(flag_is_clear(libc::CLONE_UNTRACED)?);
    } else {
        rules.insert(ptrace, Vec::new());
    }
    rules.insert(clone, vec![SeccompRule::new(new_process)?]);
    for signal in signals {
        // Process ids have 32 bits; what stands above them in the register means nothing.
        let elsewhere = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, own)?;
        rules.insert(signal, vec![SeccompRule::new(vec![elsewhere])?]);
    }
    Ok(rules)
}

fn compiled(rules: Rules) -> Result<BpfProgram, Error> {
    let architecture = std::env::consts::ARCH.try_into()?;
    let denied = SeccompAction::Errno(libc::ENOSYS as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, denied, architecture)?;
    Ok(BpfProgram::try_from(filter)?)
}

/// A filter for programs of 64 bits before one for those of 32, which the library does not make: it ends a program of
/// another machine than its own. Calls of the third kind, x32, are denied.
fn with_32_bits(own: BpfProgram, traces_itself: bool) -> Result<BpfProgram, Error> {
    /// As the kernel names the machines (`linux/audit.h`).
    const X86_64: u32 = 0xc000_003e;
    const I386: u32 = 0x4000_0003;
    /// Set in the number of a call of x32.
    const X32: u32 = 0x4000_0000;
    /// Where the call has its number and its machine (`linux/seccomp.h`).
    const NUMBER: u32 = 0;
    const MACHINE: u32 = 4;
    let older =
        rules(denied_32::ALWAYS, denied_32::CLONE, denied_32::PTRACE, denied_32::SIGNALS, traces_itself)?;
    let mut older = compiled(older)?;
    for instruction in &mut older {
        if instruction.k == X86_64 {
            instruction.k = I386;
        }
    }
    let load = |k| sock_filter { code: 0x20, jt: 0, jf: 0, k };
    let skip = |k| sock_filter { code: 0x05, jt: 0, jf: 0, k };
    let unless_equal = |k, jf| sock_filter { code: 0x15, jt: 0, jf, k };
    let unless_least = |k, jf| sock_filter { code: 0x35, jt: 0, jf, k };
    let answer =
        sock_filter { code: 0x06, jt: 0, jf: 0, k: u32::from(SeccompAction::Errno(libc::ENOSYS as u32)) };
    let mut program = vec![load(MACHINE), unless_equal(I386, 1), skip(own.len() as u32 + 3)];
    program.extend([load(NUMBER), unless_least(X32, 1), answer]);
    program.extend(own);
    program.extend(older);
    Ok(program)
}

fn argument_is(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompCondition, Error> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Qword, how, value)?)
}

fn flag_is_clear(flag: libc::c_int) -> Result<SeccompCondition, Error> {
    argument_is(0, SeccompCmpOp::MaskedEq(flag as u64), 0)
}
