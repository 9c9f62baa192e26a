"""What is part of a word, and what it is folded to: Unicode 15.1.0.

Written by tools/unicode_table.py; do not edit. The layout is that of `kernels.utf8.Characters`.
"""

import base64
import zlib

VERSION = "15.1.0"
NUMBERS = 4352  # bytes of page numbers, at the start
FOLDS = 2688  # bytes of folds, at the end; the pages are between

# What is neither part of a word nor a symbol: white space and separators, control and format
# characters (general category Z, Cc, Cf), first and last of each range
BLANKS = (
    *((0x00, 0x20), (0x7F, 0xA0), (0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD)),
    *((0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2), (0x1680, 0x1680), (0x180E, 0x180E)),
    *((0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x2064), (0x2066, 0x206F), (0x3000, 0x3000)),
    *((0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD)),
    *((0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001)),
    (0xE0020, 0xE007F),
)

_PACKED = (
    b"c-rk<X^b4j6@Injw%5jB4+ewHg4@R)wmH@qj0bRlO@MGDkb}!$@U`pP7`(QzF~&AmNCJV}2MG{zD~d#-"
    b"1UZ5vC=dZr$R(^?QWPf=QX)k{;zy!Hak{6wr>np2>aOapp6Q+GH#^h&O?6$bUcGwnRm}{suF5!L{Dkg_la85u>~T}3R*"
    b"#={LiNPyC!IWF<|);lQ%{>^nzK!Fj%m@{dA(*||A1K)(fn#Iw4l21^fS&pYfvG}A~T7qXD_avbMBJ!me$U{;KJ&%cU*M"
    b"wB}4Cg*QJ+T{_ZQTyz1)ry!V=G&G)_k10S@?y6*ZL8o6$?3%?1AsxD8iu6pw=rn%x)L3?krUskS4EM|3e&DsVS4yTWp>"
    b"(+1BxM}ki)7)y~+qd0ur@7rUM|bQr&0TlxHqAYad+&DIH5O<uzH!gK$ouY%D`bDQdVm{`gQlSW_W{1&EUBcDN-"
    b"C+Ol1eJ6q;{bPN*0vVxkQS@8sxswB_zy%q*`;M1ype^b{V3&-Rn3}-"
    b"QGWj;$ysf4JAxaE2rDJOk|Vn%P|I<JlQJr*yE;H|4n7p<1N6d)7S~lZ6{iP%(+gVZohGoQE$6LCmZe`J|gO!QNL~GDYE"
    b"VCiFnVUQw?_7EV~MG_8d%WCZUi;$ZJD_Sd2Vppt<t5)_Ft*b84o!PAle7Z*MR4QGfq{P?Wp6>>TqWO5|w4!qctSGtLx_"
    b"=UIb{Ejrt3z+x+3PfyP|KwSx>%9>;eqm(nzd7PUl@p>P$M2Z^fN|H_Iu~Y(Si?s76k=;v{)bC8+{D_>VIcfyI%7`}uO="
    b"24LL6f?tqrL8Ws@!B!(w{2wL{LEv($F$W6hr<-QP;_z^4>IN;d}vO$;*W6qc8jpAbz-#>-"
    b"YYM5#|e+X`EV$k)r@lNIYJ_`XjhXkrO&}CkPm+^FLfa-+!-"
    b"90{&Bo13dq|8{D_a`>(;=sM!_B$AZRk6#rvVVx|klNHyPXze^4M62*VMR8p*;B<kl`8<LbX{ZCRcB-"
    b"U{hGwB6YCTmJ}dU5yrRTD4L=(WWOfcjz(GfJ`!WkZj|S~+o=l^8|UFVhMpZkCWe#5`9*ag`Alm~Pcd?1hRyug5OYy>c#"
    b"<B3fFne5q3Xtv3wXiGrGz!kSkpf7W_PQ$I4BeX$cQ-ZG;6JSL)Aotoy7l_U_Wr1+>_$1yBuNefGo8<^xJM%hVu%Qxr$k"
    b"a&HHS_&!W^-"
    b"PxkdCP+||4A;=syG2sj=#)yg6jT4&Jin;*9WokDH|Saq5X#%MqE|?>zh22vX&v`vc;5g{sk8<s~^5~%NvrX`ppSSEU^m"
    b")E8@dBh|Jiy+-vfv<`UXR(dpv*uV7cQtJu|yYR*HH-"
    b"^*tow6@P#d)Mo(zv0H4mfw7fcU^JoZ7Wx;UbEJ_GB!N2j@ECe)i!P%p-t8ZZr-"
    b"w$Zr^r?MO*6Qf9C+v_R(5x#|}pxcFy0$?%G|e?b)-"
    b"qKH_)py@&SQyMO<I1AD3Y#K#|r64u*1{MqOT0K|xb8;6VzTF?9Lcc#_@;rId<Q^)Ea1d3>pk-"
    b"D=b6`u6%^yJf$B66jfEm@*Ss$*!dhd%VMw=MnQk9_nIXOr5cM;~p*YU(o7UG9uP*ihDtRl8s8?nnwk)HY3)t1ek%?W&|"
    b"?rz)WzmtUlW(r(A7Mf#{nLF3R74c%*mYJS-}Mf}lKzEB=pxIPynq}WFNZ@Rq|_BT|Um%`f&cp5UkX$zRl-HmP1<8Rl&#"
    b"{xEr!5(8Vbv*v@Pki!m_Nh;Q=ChbG__@y;o>^nmw}cGd$_aPPNXIo_KC;ap{qs+(Ph(@`IyNw}^iN0s<Bu;Y#kbScD&|"
    b"jY{W>*otW}p7fe$vENY4IFVJbQ0eL*v+wMTw_6m?nDxmD5p{x`EeIeX!WFMjFCr=EVAf9uQ7eC4ZO3o)Cb+#vrnWP$qC"
    b"(zdipLekiWGX795_BItzvE=&suDt!_s0B=Juq2HE!3j=EklsT3U#Xj+rTxMam(7fO6?}gn?V_&ve1l5ZUbUsV{0)px%F"
    b"@>*sZ~=HM?t2oD&wjuR#~U|H+<s%=dpFA7}d*v5Tj-LbJDwN5>A?$K|p%9$r^H|b`r}wWS4f{N^d;HogGR!z9g%vw0?Y"
    b"D^ZGA7dzoq@BoxD!IJhPizRwzek>wvrvP%#DlXunAuY2(wEz<b}9n+ytowBw+<xWA${i^c(i>CN1_hHBu2)|O698ck>R"
    b"-4VFPc!>9dK7Z=SdKr6`y;YaOR!@vY1QlHf1?r5N{J6>q@9v}ZY@)g7{%H8X|;CTy36%|U$*5x{~cWJDe(Do7F@HzpKp"
    b"`%iOKv;?yRP&$L#u?IWCak*X2I`pn+BSpIQ579B&mLHD>>y6VE3%rG2`;k4g}}4g@ojcl1a&1@npzq(9k2DeO^ovsnLn"
    b"5*?q{?XRZsMB<`wc}2V_r@1FB@)3g*#fE76TDo|`Z-"
    b"OfQ?OgP`IGvPaAT%&}kC)VZYm4*0W6u6hx$8UjsnjxKNFFoRr#qh4Cj9O^c~g#W=OW*V<!Af;4UzpISpQ=U3gPDL7^58"
    b"g)26aPvu4#kowE0jK;GNW{>bFGw{`Cn<i9k%I>x?K40<GZprP_3zkRpU^-"
    b"WQ=M6;DrWCTSN?`ncpO1<w?y1<G|4sFV@i0$Dd%~j0K70iEANpIQwYUg+h=_|+Gn2R{yLa9EK8q?tLVNy!Y;~ziJ-"
    b"1m}X)}1(hr$2i*MsqgNnn|ZR1ST|#TQzf5n^G-qV;e^(T@>+yCz;m^<?X#<t$&pCeGjD_+?4sK#eV7Z{j-"
    b"jeClbVas7=iyY5sgOk<uCkr7qL$aN*BfwO|2kI~|gw1l%9j4E_9=|6{V=7e7<u=Pg(RQv;({NkJD@V1g0%9hj7h1}~#{"
    b"ovMC1V?QE4b=(R3EBC94Ccz~?vMGR~o<k_6Ia-?Inf7-}D*TM<bpF|In1Cl#d~AQq-"
    b"*)%urSpZ@=^MB_Hh$iE*~;Dj(9xqu`SRcXUl9KW>VF;ZF92Ty_%*;k2mDLGzXkkjz;6IP4EPU#e-"
    b"HSNfV+TS8?EQ$il6=@@aGl4`v5Oo5G;QMqz^#)GDyD^+IKnNQNVqGdjVez_#zJ5-"
    b"8^KybX!kWaq!C=w(swT{70a@ZvuV`@ZSNy2KZNiUjqCS!2bq(Ewpb6;6WJQVT0(P;is?c3EuxNDF3@}2J!a*KM(jvfL{"
    b"Ro65u}p{^`RoesBBfcKg>`&qdsPw&kIl!@I2KBo6NeyvlB4mtX$Rjt0xO$A4PImyZUn1Th0VRB`9hEJvoi@)+PQz!kvb"
    b"02_eE1D*ib1Uwt?9Kdq{&jZ{GxDRkY;FW+^0bUJw4dAtahXIcOUI%y^;AbmA{Ow9OeTW-"
    b"x4<B;p{|{h3{O7Mhc^QTJo`dqgQwgW@^*smmeT%D)*H7fi*CEL7r4PCJpMd-"
    b"?L;e>z`S#>}s1m;4EAKIwAA6y{uR{M`uY}Y2@?VAi?g#!J1pLgAAim_!LHt9&J)r-l0-ks{c>m0|f_Mg`|Lu(+u0Z-"
    b"<ApHp77XklwM-cyRIp|Zs&jS8F;2#72C*Z??{{i@^N{~M<K>91t-of=jc^Gk@Jl+6!GbfKD+&w(r%-"
    b"M6J{QR=ks+~p<4+GxB;e8SJZ{gOv0g#7&z;ihKf90&LU;"
)


def unpack() -> bytes:
    """Return the table as bytes: page numbers, pages, folds."""
    return zlib.decompress(base64.b85decode(_PACKED))
