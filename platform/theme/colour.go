package theme

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// oklch is a colour as lightness (0–1), chroma and hue (radians), in which equal steps look equal.
type oklch struct{ l, c, h float64 }

func linear(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

func gamma(c float64) float64 {
	if c <= 0.0031308 {
		return 12.92 * c
	}
	return 1.055*math.Pow(c, 1/2.4) - 0.055
}

func channels(hex string) (rgb [3]float64) {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil || len(hex) != 7 {
		return rgb // black: callers have checked the pattern
	}
	return [3]float64{float64(n>>16&255) / 255, float64(n>>8&255) / 255, float64(n&255) / 255}
}

func hexOf(rgb [3]float64) string {
	var n [3]int
	for i, v := range rgb {
		n[i] = int(math.Floor(min(1, max(0, v))*255 + 0.5))
	}
	return fmt.Sprintf("#%02x%02x%02x", n[0], n[1], n[2])
}

func luminance(hex string) float64 {
	c := channels(hex)
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// contrast returns WCAG's contrast ratio, 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func fromHex(hex string) oklch {
	c := channels(hex)
	r, g, b := linear(c[0]), linear(c[1]), linear(c[2])
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	x := 1.9779984951*l - 2.428592205*m + 0.4505937099*s
	y := 0.0259040371*l + 0.7827717662*m - 0.808675766*s
	return oklch{l: 0.2104542553*l + 0.793617785*m - 0.0040720468*s, c: math.Hypot(x, y), h: math.Atan2(y, x)}
}

func (o oklch) rgb() [3]float64 {
	a, b := o.c*math.Cos(o.h), o.c*math.Sin(o.h)
	l := math.Pow(o.l+0.3963377774*a+0.2158037573*b, 3)
	m := math.Pow(o.l-0.1055613458*a-0.0638541728*b, 3)
	s := math.Pow(o.l-0.0894841775*a-1.291485548*b, 3)
	return [3]float64{
		4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.707614701*s,
	}
}

// hex returns the colour as #rrggbb. It lowers the chroma until the colour fits sRGB.
func (o oklch) hex() string {
	for c := o.c; c > 0; c -= 0.004 {
		v := oklch{o.l, c, o.h}.rgb()
		if min(v[0], v[1], v[2]) > -0.001 && max(v[0], v[1], v[2]) < 1.001 {
			return hexOf([3]float64{gamma(max(0, v[0])), gamma(max(0, v[1])), gamma(max(0, v[2]))})
		}
	}
	v := oklch{o.l, 0, o.h}.rgb()
	for i := range v {
		v[i] = gamma(min(1, max(0, v[i])))
	}
	return hexOf(v)
}

// on returns the text colour for a fill: white if it is readable, else near-black, else black. One always is: √(1.05/0.05) = 4.58.
func on(fill string) string {
	for _, text := range []string{"#ffffff", "#15130f"} {
		if contrast(text, fill) >= 4.5 {
			return text
		}
	}
	return "#000000"
}

// solve changes the lightness in one direction until the colour has the ratio with each of grounds. Hue and chroma stay.
func solve(source string, ratio, direction float64, grounds ...string) string {
	o := fromHex(source)
	for l := o.l; l >= 0 && l <= 1; l += direction * 0.008 {
		candidate := oklch{l, min(o.c, 0.2), o.h}.hex()
		if lowest(candidate, grounds) >= ratio {
			return candidate
		}
	}
	if direction < 0 {
		return "#000000"
	}
	return "#ffffff"
}

func lowest(text string, grounds []string) float64 {
	low := math.Inf(1)
	for _, ground := range grounds {
		low = min(low, contrast(text, ground))
	}
	return low
}

// mix returns share of a over b.
func mix(a, b string, share float64) string {
	x, y := channels(a), channels(b)
	for i := range x {
		x[i] = x[i]*share + y[i]*(1-share)
	}
	return hexOf(x)
}
