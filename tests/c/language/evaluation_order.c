// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdio.h>
int a[10], *p = a; struct s { int x; int y[4]; } st, *q = &st; int g;
int L(int i){ printf("L"); return i; } int R(int i){ printf("R"); return i; }
int *LP(void){ printf("L"); return a; } struct s *LS(void){ printf("L"); return &st; }
int Rg(void){ printf("R"); g = 1; return 1;} int *LPP(void){printf("L"); return a;}
#define T(n, e) do { printf("%s: ", n); e; printf("\n"); } while (0)
int main(void){ int i=0; int la[4]; struct s ls; int *lp = a; long lg=0; (void)la;
T("a[L]=R", a[L(1)] = R(2));
T("a[L]=R+1", a[L(1)] = R(2)+1);
T("a[L]=a[R]", a[L(1)] = a[R(2)]);
T("p[L]=R", p[L(1)] = R(2));
T("p[L]=R+1", p[L(1)] = R(2)+1);
T("lp[L]=R", lp[L(1)] = R(2));
T("la[L]=R", la[L(1)] = R(2));
T("*LP=R", *LP() = R(2));
T("*LP=R+1", *LP() = R(2)+1);
T("LP[1]=R+1", LP()[1] = R(2)+1);
T("LS->x=R", LS()->x = R(2));
T("LS->x=R+1", LS()->x = R(2)+1);
T("LS->y[1]=R+1", LS()->y[1] = R(2)+1);
T("LS->y[i]=R+1", LS()->y[i] = R(2)+1);
T("st.y[L]=R", st.y[L(1)] = R(2));
T("st.y[L]=R+1", st.y[L(1)] = R(2)+1);
T("q->y[L]=R+1", q->y[L(1)] = R(2)+1);
T("*(p+L)=R+1", *(p+L(1)) = R(2)+1);
T("a[L]+=R", a[L(1)] += R(2));
T("*LP+=R", *LP() += R(2));
T("*LP+=1", *LP() += 1);
T("a[L]=R (long)", lg = a[L(1)] = R(2));
T("*LS=*LS(R)", *LS() = *(R(1), &st));
T("L+R", i = L(1)+R(2)); T("L<R", i = L(1)<R(2)); T("L-R", i = L(1)-R(2)); T("a[L]+a[R]", i = a[L(1)]+a[R(2)]);
T("a[L] == R", i = a[L(1)] == R(2)); T("*LP + R", i = *LP() + R(1)); T("-L*R", i = -L(1)*R(1)); T("L<<R", i = L(1)<<R(1));
T("p+R", lp = LP()+R(1)); T("R+p", lp = R(1)+LP()); T("LP()[R]", i = LP()[R(1)]); T("R[LP]", i = R(1)[LP()]); T("a[L][..]", i = (&a)[L(0)][R(1)]);
g=5; i = g + Rg(); printf(" g+Rg %d\n", i); g=5; i = g - Rg(); printf(" g-Rg %d\n", i); g=5; i = Rg() + g; printf(" Rg+g %d\n", i);
g=5; i = g < Rg(); printf(" g<Rg %d\n", i); g=5; lg = g + (long)Rg(); printf(" (long)g+Rg %ld\n", lg); g=5; lg = (unsigned)g + Rg(); printf(" (unsigned)g+Rg %ld\n", lg);  g=5; i = -g + Rg(); printf(" -g+Rg %d\n", i); a[0]=5; 
g=5; i = g * (Rg()+1); printf(" g*(Rg+1) %d\n", i); g=5; i = g << Rg(); printf(" g<<Rg %d\n", i); g=5; i = g / Rg(); printf(" g/Rg %d\n", i); g=5; i = (short)g + Rg(); printf(" (short)g+Rg %d\n", i);
g=5; i = (g == Rg()); printf(" g==Rg %d\n", i); g=5; i = g ? g + Rg() : 0;  printf(" %d\n", i); g = 5; g += Rg(); printf(" g+=Rg %d\n", g); g=5; g = g + Rg(); printf(" g=g+Rg %d\n", g);
{ int arr[3] = {L(1), R(2), L(3)}; struct s t = { L(1), { R(1), L(2) } }; printf("\n"); }
return 0; }
