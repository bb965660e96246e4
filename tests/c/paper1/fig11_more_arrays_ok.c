// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
/* Paper 001, Figs. 10 and 11 (bc 1.06, more_arrays, reduced): with the loop corrected. */
#include <stdlib.h>
#define STORE_INCR 32
typedef struct bc_var_array bc_var_array;
bc_var_array **arrays;
char **a_names;
int a_count, v_count;
void *bc_malloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
void more_arrays(void) {
  int indx, old_count;
  bc_var_array **old_ary;
  char **old_names;
  old_count = a_count;
  old_ary = arrays;
  old_names = a_names;
  a_count += STORE_INCR;
  arrays = (bc_var_array **) bc_malloc(a_count * sizeof(bc_var_array *));
  a_names = (char **) bc_malloc(a_count * sizeof(char *));
  for (indx = 1; indx < old_count; indx++)
    arrays[indx] = old_ary[indx];
  for (; indx < a_count; indx++)
    arrays[indx] = NULL;
  if (old_count != 0) { free(old_ary); free(old_names); }
}
int main(void) {
  v_count = 40;
  more_arrays();
  more_arrays();
  return 0;
}
