// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same system calls for programs of 32 bits on a machine of 64: there they have numbers of their own
//! (`asm/unistd_32.h`), which no library names for a program of 64 bits.

/// Denied whatever their arguments are.
pub(crate) const ALWAYS: &[i64] = &[
    2, 190, 435, // fork, vfork, clone3
    11, 358, // execve, execveat: the exec that starts the program is the launcher's, which has 64 bits
    310, 346, // unshare, setns
    347, 348, // process_vm_readv, process_vm_writev
    238, 434, 424, // tkill, pidfd_open, pidfd_send_signal
    66, 57, 97, 156, // setsid, setpgid, setpriority, sched_setscheduler
    102, 359, 360, 361, 362, 363, 364, 369,
    370, // socketcall; socket, socketpair, bind to accept4, sendto, sendmsg
    425, 374, 357, 336, // io_uring_setup, userfaultfd, bpf, perf_event_open
    288, 286, 287, // keyctl, add_key, request_key
    21, 22, 52, 217, 61, // mount, umount, umount2, pivot_root, chroot
    14, 297, // mknod, mknodat
    15, 94, 306, // chmod, fchmod, fchmodat
    182, 212, 16, 198, 95, 207, 298, // chown, chown32, lchown, lchown32, fchown, fchown32, fchownat
    226, 227, 228, // setxattr, lsetxattr, fsetxattr
    88, 283, 128, 350, 129, // reboot, kexec_load, init_module, finit_module, delete_module
    87, 115, 51, 131, 103, // swapon, swapoff, acct, quotactl, syslog
    74, 121, // sethostname, setdomainname
    79, 25, 264, 404, 124, 343,
    405, // settimeofday, stime, clock_settime, its 64, adjtimex, clock_adjtime, its 64
    166, 113, 123, // vm86, vm86old, modify_ldt
];

pub(crate) const CLONE: i64 = 120;
pub(crate) const PTRACE: i64 = 26;
/// kill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo: the first argument is the process.
pub(crate) const SIGNALS: [i64; 4] = [37, 270, 178, 335];
