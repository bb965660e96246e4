#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""GSL's special functions of one argument: inputs on which they are wrong by 1e-3 or more, found by `clew precision --find`.

    bench/gsl_precision.py [--clew PATH] [--only NAME,...]

GSL 2.7.1 comes as a Debian source package into bench/work/precision, through an apt configuration of its own. Every public function
`double gsl_sf_NAME(double)`, also with a mode (0 is given), is searched. Each input with a large error is judged twice by others: GSL itself is
compiled by gcc and must return the very double that clew says, and where mpmath has the function, its value must be as far away. With
mpmath missing, that column stays empty. The exit status is 1 if an input is false.
"""
import argparse, json, re, resource, signal, subprocess, sys, time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "bench/work/precision"
LARGE = 1e-3


def fetch():
    """The configured sources of GSL."""
    gsl = WORK / "gsl"
    if (gsl / "gsl/gsl_sf.h").exists():
        return gsl
    apt = WORK / "apt"
    for part in ["lists/partial", "cache/archives/partial", "parts"]:
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text("deb-src http://deb.debian.org/debian bookworm main\n")
    flags = ["-qq", f"-oDir::Etc::SourceList={apt}/sources.list", f"-oDir::Etc::SourceParts={apt}/parts", f"-oDir::State::Lists={apt}/lists",
             f"-oDir::Cache={apt}/cache", "-oAPT::Sandbox::User=root"]
    subprocess.run(["apt-get", *flags, "update"], check=True)
    subprocess.run(["apt-get", *flags, "source", "--download-only", "gsl"], check=True, cwd=WORK)
    archive = next(WORK.glob("gsl_*.orig.tar.*"))
    gsl.mkdir(exist_ok=True)
    subprocess.run(["tar", "xf", archive, "--strip-components=1", "-C", gsl], check=True)
    subprocess.run(["./configure", "--disable-shared", "CFLAGS=-O0 -g"], check=True, cwd=gsl, stdout=subprocess.DEVNULL)
    subprocess.run(["make"], check=True, cwd=gsl / "gsl", stdout=subprocess.DEVNULL)
    return gsl


def functions(gsl):
    """The public functions of one argument, and whether they take a mode."""
    found = {}
    for header in sorted((gsl / "specfunc").glob("gsl_sf_*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        pattern = r"\bdouble\s+(gsl_sf_\w+)\s*\(\s*(?:const\s+)?double\s+\w+\s*(,\s*(?:const\s+)?gsl_mode_t\s+\w+)?\s*\)"
        for match in re.finditer(pattern, text):
            found[match.group(1)] = bool(match.group(2))
    return found


def sources(gsl):
    text = (gsl / "specfunc/Makefile.am").read_text()
    listed = re.search(r"libgslspecfunc_la_SOURCES = (.*)", text).group(1).split()
    return [f"specfunc/{name}" for name in listed if name.endswith(".c")] + ["complex/math.c"] + sorted(
        str(path.relative_to(gsl)) for path in (gsl / "sys").glob("*.c") if path.name != "test.c")


def by_gcc(gsl, files, modes, inputs):
    """What the compiled functions return, as doubles."""
    calls = "".join(f'  printf("%a\\n", {name}({value}{", 0" if modes[name] else ""}));\n' for name, value in inputs)
    quiet = "void gsl_error(const char *a, const char *b, int c, int d) {}\nvoid gsl_stream_printf(const char *a, const char *b, int c, const char *d) {}\n"
    # Only what the special functions call from elsewhere, and never on these inputs.
    (WORK / "driver.c").write_text("#include <stdio.h>\n#include <gsl/gsl_sf.h>\n" + quiet + "int main(void) {\n" + calls + "  return 0;\n}\n")
    flags = ["-O0", "-ffp-contract=off", "-DHAVE_CONFIG_H", "-I.", "-w", "-ffunction-sections", "-Wl,--gc-sections", "-Wl,--unresolved-symbols=ignore-all"]
    subprocess.run(["gcc", *flags, "-o", WORK / "driver", WORK / "driver.c", *files, "-lm"], check=True, cwd=gsl)
    out = subprocess.run([WORK / "driver"], check=True, capture_output=True, text=True).stdout
    return [float.fromhex(line) for line in out.split()]


def oracles():
    """The functions that mpmath has, by their names in GSL."""
    try:
        import mpmath as m
    except ImportError:
        return {}
    m.mp.prec = 240
    half = m.mpf(1) / 2
    sphere = lambda f: lambda n: (lambda x: m.sqrt(m.pi / (2 * x)) * f(n + half, x))
    j, y = sphere(m.besselj), sphere(m.bessely)
    fermi = lambda s: lambda x: -m.re(m.polylog(s + 1, -m.exp(x)))
    debye = lambda n: lambda x: n / x**n * m.quad(lambda t: t**n / m.expm1(t), [0, x])
    erf_q = lambda x: m.erfc(x / m.sqrt(2)) / 2
    return {
        "airy_Ai": m.airyai, "airy_Bi": m.airybi, "airy_Ai_deriv": lambda x: m.airyai(x, derivative=1),
        "airy_Bi_deriv": lambda x: m.airybi(x, derivative=1),
        "airy_Ai_scaled": lambda x: m.airyai(x) * (m.exp(2 * m.sqrt(x) ** 3 / 3) if x > 0 else 1),
        "airy_Bi_scaled": lambda x: m.airybi(x) * (m.exp(-2 * m.sqrt(x) ** 3 / 3) if x > 0 else 1),
        "airy_Ai_deriv_scaled": lambda x: m.airyai(x, derivative=1) * (m.exp(2 * m.sqrt(x) ** 3 / 3) if x > 0 else 1),
        "airy_Bi_deriv_scaled": lambda x: m.airybi(x, derivative=1) * (m.exp(-2 * m.sqrt(x) ** 3 / 3) if x > 0 else 1),
        "bessel_J0": lambda x: m.besselj(0, x), "bessel_J1": lambda x: m.besselj(1, x), "bessel_Y0": lambda x: m.bessely(0, x),
        "bessel_Y1": lambda x: m.bessely(1, x), "bessel_I0": lambda x: m.besseli(0, x), "bessel_I1": lambda x: m.besseli(1, x),
        "bessel_K0": lambda x: m.besselk(0, x), "bessel_K1": lambda x: m.besselk(1, x),
        "bessel_j0": lambda x: m.sin(x) / x, "bessel_j1": lambda x: m.sin(x) / x**2 - m.cos(x) / x,
        "bessel_j2": lambda x: (3 / x**2 - 1) * m.sin(x) / x - 3 * m.cos(x) / x**2,
        "bessel_y0": lambda x: -m.cos(x) / x, "bessel_y1": y(1), "bessel_y2": y(2),
        "clausen": lambda x: m.clsin(2, x), "dawson": lambda x: m.sqrt(m.pi) / 2 * m.exp(-x * x) * m.erfi(x),
        "dilog": lambda x: m.re(m.polylog(2, x)), "ellint_Kcomp": lambda k: m.ellipk(k * k), "ellint_Ecomp": lambda k: m.ellipe(k * k),
        "erf": m.erf, "erfc": m.erfc, "log_erfc": lambda x: m.log(m.erfc(x)), "erf_Z": lambda x: m.exp(-x * x / 2) / m.sqrt(2 * m.pi),
        "erf_Q": erf_q, "hazard": lambda x: m.exp(-x * x / 2) / m.sqrt(2 * m.pi) / erf_q(x),
        "exp": m.exp, "expm1": m.expm1, "exprel": lambda x: m.expm1(x) / x, "exprel_2": lambda x: 2 * (m.expm1(x) - x) / x**2,
        "expint_E1": lambda x: m.re(m.e1(x)), "expint_E2": lambda x: m.re(m.expint(2, x)), "expint_Ei": m.ei,
        "expint_E1_scaled": lambda x: m.exp(x) * m.re(m.e1(x)), "expint_E2_scaled": lambda x: m.exp(x) * m.re(m.expint(2, x)),
        "expint_Ei_scaled": lambda x: m.exp(-x) * m.ei(x), "Shi": m.shi, "Chi": m.chi, "Si": m.si, "Ci": m.ci,
        "fermi_dirac_m1": fermi(-1), "fermi_dirac_0": fermi(0), "fermi_dirac_1": fermi(1), "fermi_dirac_2": fermi(2),
        "fermi_dirac_mhalf": fermi(-half), "fermi_dirac_half": fermi(half), "fermi_dirac_3half": fermi(3 * half),
        "lngamma": lambda x: m.log(abs(m.gamma(x))), "gamma": m.gamma, "gammainv": m.rgamma,
        "lambert_W0": lambda x: m.re(m.lambertw(x)), "lambert_Wm1": lambda x: m.re(m.lambertw(x, -1)),
        "legendre_P1": lambda x: x, "legendre_P2": lambda x: (3 * x * x - 1) / 2, "legendre_P3": lambda x: x * (5 * x * x - 3) / 2,
        "legendre_Q0": lambda x: m.log(abs((1 + x) / (1 - x))) / 2, "legendre_Q1": lambda x: x * m.log(abs((1 + x) / (1 - x))) / 2 - 1,
        "log": m.log, "log_abs": lambda x: m.log(abs(x)), "log_1plusx": lambda x: m.log(1 + x), "log_1plusx_mx": lambda x: m.log(1 + x) - x,
        "psi": lambda x: m.psi(0, x), "psi_1": lambda x: m.psi(1, x), "psi_1piy": lambda y: m.re(m.psi(0, m.mpc(1, y))),
        "sin": m.sin, "cos": m.cos, "sin_pi": lambda x: m.sin(m.pi * x), "cos_pi": lambda x: m.cos(m.pi * x),
        "sinc": lambda x: m.sin(m.pi * x) / (m.pi * x), "lnsinh": lambda x: m.log(m.sinh(x)), "lncosh": lambda x: m.log(m.cosh(x)),
        "zeta": m.zeta, "zetam1": lambda x: m.zeta(x) - 1, "eta": m.altzeta,
        "debye_1": debye(1), "debye_2": debye(2), "debye_3": debye(3), "debye_4": debye(4), "debye_5": debye(5), "debye_6": debye(6),
        "angle_restrict_pos": lambda x: x - 2 * m.pi * m.floor(x / (2 * m.pi)),
        "angle_restrict_symm": lambda x: x - 2 * m.pi * m.nint(x / (2 * m.pi)),
    }


def too_long(*_):
    raise TimeoutError


def main():
    signal.signal(signal.SIGALRM, too_long)
    parser = argparse.ArgumentParser()
    parser.add_argument("--clew", default=ROOT / "target/release/clew")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    gsl = fetch()
    modes = functions(gsl)
    if options.only:
        modes = {name: modes[name] for name in options.only.split(",")}
    files = sources(gsl)
    command = [Path(options.clew).resolve(), "precision", "--find", "--format", "json", *files]
    if any(modes.values()):
        command += ["--range", "mode=0..0"]
    for name in modes:
        command += ["--function", name]
    started = time.time()
    answer = subprocess.run([*command, "--", "-I.", "-DHAVE_CONFIG_H"], cwd=gsl, capture_output=True, text=True)
    seconds = time.time() - started
    processor = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if not answer.stdout:
        sys.exit(answer.stderr)
    report = json.loads(answer.stdout)["functions"]
    large, small, none = [], [], []
    for function in report:
        found = function.get("found") or {}
        relative = found.get("relative")
        if relative is None:
            none.append((function["name"], function.get("refused") or found.get("without")))
        else:
            (large if relative >= LARGE else small).append((relative, function["name"], found))
    inputs = [(name, found["witness"]["inputs"][0][2]) for _, name, found in large]
    compiled = by_gcc(gsl, files, modes, inputs) if inputs else []
    known = oracles()
    false, judged = [], 0
    print("| function | input | relative error | by mpmath | cause |\n|---|---|---|---|---|")
    for (relative, name, found), (_, hexadecimal), machine in zip(large, inputs, compiled):
        witness = found["witness"]
        says = float(witness["machine"])
        if says != machine:
            false.append(f"{name}({witness['inputs'][0][1]}): clew says that it is {says!r}, gcc computes {machine!r}")
        judge = known.get(name[len("gsl_sf_"):])
        theirs = ""
        if judge:
            import mpmath
            signal.alarm(10)
            try:
                truth = judge(mpmath.mpf(float.fromhex(hexadecimal)))
                error = abs((mpmath.mpf(machine) - truth) / truth) if truth else mpmath.inf
                theirs = mpmath.nstr(error, 4)
                judged += 1
                if error < LARGE:
                    false.append(f"{name}({witness['inputs'][0][1]}): {relative:.3g} by clew, {theirs} by mpmath")
            except ValueError:
                theirs = "a pole"
            except Exception as why:
                theirs = f"- ({type(why).__name__})"
            finally:
                signal.alarm(0)
        cause = found.get("cause") or {}
        print(f"| {name[7:]} | {witness['inputs'][0][1]} | {relative:.3g} | {theirs} | {cause.get('place', '')} {cause.get('text', '')} |")
    print(f"\n{len(large)} of {len(report)} functions with a relative error of {LARGE} or more, in {seconds:.1f} s ({processor:.1f} s of a processor); all {len(inputs)} values "
          f"compared with gcc's, {judged} errors with mpmath's; {len(false)} false")
    for line in false:
        print("FALSE", line)
    for name, why in none:
        print("no result:", name, why)
    print("small:", ", ".join(f"{name[7:]} {relative:.1e}" for relative, name, _ in sorted(small, reverse=True)))
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
