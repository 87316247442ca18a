package svg

import "math"

// pen is how a line is drawn.
type pen struct {
	width float64
	round struct{ caps, joins bool }
	dash  []float64
	scale float64
}

// miterLimit is SVG's own.
const miterLimit = 4

// outline returns what the pen covers: pieces that all turn the same way, so that they make one shape where they lie on each other.
func (p pen) outline(lines []line) (pieces []line) {
	half := p.width / 2
	piece := func(points ...point) {
		if area(points) < 0 {
			for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
				points[i], points[j] = points[j], points[i]
			}
		}
		pieces = append(pieces, line{points, true})
	}
	dot := func(at point) { piece(ellipse(at, half, half, p.scale)[0].points...) }
	for _, l := range p.dashed(lines) {
		points := distinct(l)
		if len(points) < 2 {
			continue
		}
		n := len(points) - 1
		if l.closed {
			n = len(points)
		}
		for i := range n {
			from, to := points[i], points[(i+1)%len(points)]
			side := normal(from, to).times(half)
			piece(from.add(side), to.add(side), to.minus(side), from.minus(side))
			if !l.closed && i == n-1 {
				break
			}
			after := points[(i+2)%len(points)]
			if p.round.joins {
				dot(to)
			} else {
				piece(corner(from, to, after, half)...)
			}
		}
		if !l.closed && p.round.caps {
			dot(points[0])
			dot(points[len(points)-1])
		}
	}
	return pieces
}

// corner is what two parts of a line leave open between them, with its tip as long as that is not too long.
func corner(from, at, after point, half float64) []point {
	a, b := normal(from, at), normal(at, after)
	if cross(at.minus(from), after.minus(at)) > 0 { // it lies on the outer side
		a, b = a.times(-1), b.times(-1)
	}
	middle := a.add(b)
	points := []point{at, at.add(a.times(half))}
	if cosine := middle.length() / 2; cosine > 1/float64(miterLimit) {
		points = append(points, at.add(middle.times(half/(2*cosine*cosine))))
	}
	return append(points, at.add(b.times(half)))
}

// dashed cuts lines into dashes; a line without is whole.
func (p pen) dashed(lines []line) (cut []line) {
	total := 0.0
	for _, d := range p.dash {
		total += d
	}
	if total <= 0 {
		return lines
	}
	for _, l := range lines {
		points := distinct(l)
		if l.closed && len(points) > 0 {
			points = append(points, points[0])
		}
		drawn, i, left := true, 0, p.dash[0]
		var dash []point
		for at := 0; at+1 < len(points); at++ {
			from, to := points[at], points[at+1]
			if drawn && len(dash) == 0 {
				dash = []point{from}
			}
			length := to.minus(from).length()
			for length > left {
				from = from.toward(to, left/length)
				length -= left
				if drawn {
					cut = append(cut, line{points: append(dash, from)})
				}
				i = (i + 1) % len(p.dash)
				drawn, left, dash = !drawn, max(p.dash[i], 0.01), []point{from}
			}
			left -= length
			if drawn {
				dash = append(dash, to)
			}
		}
		if drawn && len(dash) > 1 {
			cut = append(cut, line{points: dash})
		}
	}
	return cut
}

// distinct are a line's points without those that stand on the one before.
func distinct(l line) (points []point) {
	for _, p := range l.points {
		if len(points) == 0 || p.minus(points[len(points)-1]).length() > 1e-6 {
			points = append(points, p)
		}
	}
	if l.closed && len(points) > 1 && points[0].minus(points[len(points)-1]).length() <= 1e-6 {
		points = points[:len(points)-1]
	}
	return points
}

func normal(from, to point) point {
	d := to.minus(from)
	return point{-d.y, d.x}.times(1 / d.length())
}

func cross(a, b point) float64 { return a.x*b.y - a.y*b.x }

func area(points []point) (sum float64) {
	for i, p := range points {
		sum += cross(p, points[(i+1)%len(points)])
	}
	return sum
}

// clip is the part of a shape inside of a rectangle, side by side after Sutherland and Hodgman.
func clip(points []point, width, height float64) []point {
	for _, inside := range []func(point) float64{
		func(p point) float64 { return p.x }, func(p point) float64 { return width - p.x },
		func(p point) float64 { return p.y }, func(p point) float64 { return height - p.y },
	} {
		var kept []point
		for i, to := range points {
			from := points[(i+len(points)-1)%len(points)]
			a, b := inside(from), inside(to)
			if math.Signbit(a) != math.Signbit(b) {
				kept = append(kept, from.toward(to, a/(a-b)))
			}
			if !math.Signbit(b) {
				kept = append(kept, to)
			}
		}
		points = kept
	}
	return points
}
