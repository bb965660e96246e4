// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operators that programs are made of, as templates.
//!
//! `$n` is the block's own number. `$x`, `$y`, `$z` become float signals within [-100, 100], `$j` an integer within
//! [-500, 500], `$f` a boolean: outputs of earlier blocks. `$u`, `$k`, `$e` and `$p` (a byte) are inputs. `$A`, `$B`, `$C`
//! become digits that differ from block to block. Every block keeps its outputs within those ranges, so that blocks may
//! be wired in any way.
//!
//! `//@bug CHECK: TEXT` names another text for its line that makes a run go wrong at the line marked `//@here`, or, if
//! there is none, at that very line. Neither mark is written out. A bug depends on an input of its own, so that the runs
//! that survive it can still do everything else: otherwise it would hide what comes after it.

/// What a signal may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Within [-100, 100].
    Float,
    /// Within [-500, 500].
    Int,
    /// 0 or 1.
    Bool,
    /// 0 to 255.
    Byte,
}

/// One operator.
pub struct Block {
    /// The name of its function, before `_$n`. Alarms are counted by it.
    pub name: &'static str,
    /// The global state and the function.
    pub text: &'static str,
    /// What the module's `init` does for it.
    pub init: &'static str,
    /// Signals that it makes: the name before `_$n`.
    pub outputs: &'static [(&'static str, Kind)],
    /// What a proof needs beyond intervals, if anything: the domain that paper 004 has for it.
    pub needs: &'static str,
}

/// The inputs come first in each group: the other blocks are wired to them.
pub const INPUTS: Block = Block {
    name: "read",
    text: "\
static float fa_$n;
static float fb_$n;
static float fc_$n;
static int ka_$n;
static int kb_$n;
static int ea_$n;
static int eb_$n;
static int pa_$n;
volatile unsigned char port_$n; /* a register of the hardware: anything */
static void read_$n(void)
{
    fa_$n = input_float(-100.0f, 100.0f);
    fb_$n = input_float(-100.0f, 100.0f);
    fc_$n = input_float(-100.0f, 100.0f);
    ka_$n = input_int(-500, 500);
    kb_$n = input_int(-500, 500);
    ea_$n = input_int(0, 1);
    eb_$n = input_int(0, 1);
    pa_$n = port_$n;
}
",
    init: "",
    outputs: &[
        ("fa", Kind::Float),
        ("fb", Kind::Float),
        ("fc", Kind::Float),
        ("ka", Kind::Int),
        ("kb", Kind::Int),
        ("ea", Kind::Bool),
        ("eb", Kind::Bool),
        ("pa", Kind::Byte),
    ],
    needs: "",
};

/// The other operators; each group has each of them once.
pub const BLOCKS: &[Block] = &[
    Block {
        name: "smooth",
        text: "\
static struct lag lag_$n;
static float slow_$n;
static void smooth_$n(void)
{
    lag_step(&lag_$n, $x, &slow_$n);
}
",
        init: "    lag_$n.rate = 0.$Af;\n    lag_$n.state = 0.0f;\n",
        outputs: &[("slow", Kind::Float)],
        needs: "",
    },
    Block {
        name: "filter",
        text: "\
static float s0_$n;
static float s1_$n;
static float band_$n;
static void filter_$n(void)
{
    float t = $x;
    if ($e) {
        s0_$n = t;
        s1_$n = t;
    } else {
        float s = 1.5f * s0_$n - 0.7f * s1_$n + 0.2f * t;
        s1_$n = s0_$n;
        s0_$n = s;
    }
    band_$n = clamp_float(s0_$n, -100.0f, 100.0f);
}
",
        init: "",
        outputs: &[("band", Kind::Float)],
        needs: "ellipsoids",
    },
    Block {
        name: "limit",
        text: "\
static float rated_$n;
static void limit_$n(void)
{
    float r = $x - rated_$n;
    float s = $x;
    if (r > $A.0f)
        s = rated_$n + $A.0f;
    else if (r < -$A.0f)
        s = rated_$n - $A.0f;
    rated_$n = s;
}
",
        init: "",
        outputs: &[("rated", Kind::Float)],
        needs: "octagons",
    },
    Block {
        name: "integrate",
        text: "\
static int sum_$n;
static float area_$n;
static void integrate_$n(void)
{
    int step = $k * $A;
    sum_$n = sum_$n + step; //@bug signed-overflow: sum_$n = sum_$n + input_int(-500, 500) * 8000000;
    if (sum_$n > 100000)
        sum_$n = 100000;
    if (sum_$n < -100000)
        sum_$n = -100000;
    area_$n = area_$n + 0.01f * $x;
    area_$n = clamp_float(area_$n, -100.0f, 100.0f);
}
",
        init: "",
        outputs: &[("area", Kind::Float)],
        needs: "",
    },
    Block {
        name: "events",
        text: "\
static int count_$n;
static int recent_$n;
static void events_$n(void)
{
    if ($e)
        count_$n = count_$n + 1; //@bug signed-overflow: count_$n = count_$n * 3 + 1;
    if ($e && !$f && recent_$n < 2$A)
        recent_$n = recent_$n + 1;
    else if ($f)
        recent_$n = 0;
}
",
        init: "",
        outputs: &[("recent", Kind::Int)],
        needs: "clock",
    },
    Block {
        name: "guard",
        text: "\
static int zero_$n;
static int ratio_$n;
static void guard_$n(void)
{
    zero_$n = $k == 0;
    ratio_$n = $j;
    if (!zero_$n)
        ratio_$n = 5$A / $k; //@bug division-by-zero: ratio_$n = 5$A / input_int(-9, 9);
}
",
        init: "",
        outputs: &[("ratio", Kind::Int), ("zero", Kind::Bool)],
        needs: "decision trees",
    },
    Block {
        name: "lookup",
        text: "\
static const short table_$n[17] = {
    -$A, -9, -7, 0, 3, 8, 21, 40, 4$A, 51, 70, 88, 110, 160, 2$B, 300, 310,
};
static int gain_$n;
static void lookup_$n(void)
{
    int at = $k + 500;
    int i = at / 50;
    if (i > 15) //@bug out-of-bounds: if (i > 15 && input_int(0, 9) != 0)
        i = 15;
    gain_$n = table_$n[i + 1] - table_$n[i] / 2; //@here
}
",
        init: "",
        outputs: &[("gain", Kind::Int)],
        needs: "",
    },
    Block {
        name: "curve",
        text: "\
static const float knots_$n[6] = {-100.0f, -50.0f, -$A.0f, $B.0f, 50.0f, 100.0f};
static const float heights_$n[6] = {-9.0f, -8.0f, 0.0f, 1.5f, $C.0f, 60.0f};
static float shaped_$n;
static void curve_$n(void)
{
    shaped_$n = interpolate(knots_$n, heights_$n, 6, $x);
}
",
        init: "",
        outputs: &[("shaped", Kind::Float)],
        needs: "",
    },
    Block {
        name: "vote",
        text: "\
static int faults_$n[3];
static float voted_$n;
static void vote_$n(void)
{
    float sensors[3];
    int i;
    sensors[0] = $x;
    sensors[1] = $y;
    sensors[2] = $z;
    voted_$n = middle(sensors[0], sensors[1], sensors[2]);
    for (i = 0; i < 3; i = i + 1) { //@bug out-of-bounds: for (i = 0; i < 3 + (input_int(0, 9) == 0); i = i + 1) {
        float off = sensors[i] - voted_$n; //@here
        if ((off > $A.0f || off < -$A.0f) && faults_$n[i] < 50)
            faults_$n[i] = faults_$n[i] + 1;
    }
}
",
        init: "",
        outputs: &[("voted", Kind::Float)],
        needs: "",
    },
    Block {
        name: "average",
        text: "\
static int ring_$n[8];
static int head_$n;
static int mean_$n;
static void average_$n(void)
{
    int i, sum = 0;
    ring_$n[head_$n] = $k; //@here
    head_$n = head_$n + 1;
    if (head_$n >= 8) //@bug out-of-bounds: if (head_$n >= 8 && input_int(0, 9) != 0)
        head_$n = 0;
    for (i = 0; i < 8; i = i + 1)
        sum = sum + ring_$n[i];
    mean_$n = sum / 8;
}
",
        init: "",
        outputs: &[("mean", Kind::Int)],
        needs: "",
    },
    Block {
        name: "machine",
        text: "\
static const int levels_$n[4] = {0, 1$A, 2$B, -3$C};
static int mode_$n;
static int timer_$n;
static int level_$n;
static void machine_$n(void)
{
    switch (mode_$n) {
    case 0:
        if ($e)
            mode_$n = 1;
        timer_$n = 0;
        break;
    case 1:
        timer_$n = timer_$n + 1;
        if (timer_$n >= 1$A)
            mode_$n = 2;
        break;
    case 2:
        if (!$e)
            mode_$n = 3; //@bug out-of-bounds: mode_$n = 3 + (input_int(0, 9) == 0);
        break;
    default:
        mode_$n = 0;
        break;
    }
    level_$n = levels_$n[mode_$n]; //@here
}
",
        init: "    mode_$n = 0;\n",
        outputs: &[("level", Kind::Int)],
        needs: "partitioning by state",
    },
    Block {
        name: "status",
        text: "\
static unsigned int word_$n;
static int alert_$n;
static void status_$n(void)
{
    unsigned int bit = (unsigned int)$p & 15u; //@bug shift-out-of-range: unsigned int bit = (unsigned int)input_int(0, 40);
    unsigned int mask = 1u << bit; //@here
    if ($e)
        word_$n = word_$n | mask;
    else
        word_$n = word_$n & ~mask;
    alert_$n = (word_$n & 0x$A0u) != 0u;
}
",
        init: "",
        outputs: &[("alert", Kind::Bool)],
        needs: "",
    },
    Block {
        name: "convert",
        text: "\
static int fixed_$n;
static int coarse_$n;
static void convert_$n(void)
{
    fixed_$n = (int)($u * $A.0f); //@bug float-to-int: fixed_$n = (int)(input_float(-100.0f, 100.0f) * 3.0e8f);
    coarse_$n = clamp_int(fixed_$n / 4, -500, 500);
}
",
        init: "",
        outputs: &[("coarse", Kind::Int)],
        needs: "",
    },
    Block {
        name: "select",
        text: "\
static float chosen_$n;
static void select_$n(void)
{
    const float *from = &$x;
    if ($e)
        from = &$y; //@bug null-deref: from = input_int(0, 9) != 0 ? &$y : 0;
    chosen_$n = *from; //@here
}
",
        init: "",
        outputs: &[("chosen", Kind::Float)],
        needs: "",
    },
    Block {
        name: "channels",
        text: "\
static struct channel inlets_$n[4];
static int valid_$n;
static void channels_$n(void)
{
    int i;
    valid_$n = 1;
    for (i = 0; i < 4; i = i + 1) {
        channel_update(&inlets_$n[i], $k + i);
        valid_$n = valid_$n && inlets_$n[i].ok;
    }
}
",
        init: "    channel_start(inlets_$n, 4, -4$A, 4$B);\n",
        outputs: &[("valid", Kind::Bool)],
        needs: "",
    },
];
