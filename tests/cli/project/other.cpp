// SPDX-License-Identifier: MIT OR Apache-2.0
class Other {};
