package qr

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	qrcode "github.com/skip2/go-qrcode"
	"github.com/stretchr/testify/require"
)

func TestPromptPay(t *testing.T) {
	t.Run("a QR without an amount equals npm promptpay-qr's byte for byte", func(t *testing.T) {
		got, err := PromptPay("080-123-4567", 0)
		require.NoError(t, err)
		require.Equal(t, "00020101021129370016A000000677010111011300668012345675802TH530376463046197", got)
		got, err = PromptPay("0899999999", 0)
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(got, "6304FE29"), got)
	})
	t.Run("a QR with an amount is for one payment", func(t *testing.T) {
		got, err := PromptPay("0105561000001", 1_234_05)
		require.NoError(t, err)
		require.Contains(t, got, "010212")
		require.Contains(t, got, "02130105561000001")
		require.Contains(t, got, "54071234.05")
		require.NoError(t, check(got))
	})
	t.Run("an invalid receiver is refused", func(t *testing.T) {
		for _, bad := range []string{"", "12345", "1812345678", "08123456๗8", "0812345678x", "1234567890123456"} {
			_, err := PromptPay(bad, 100)
			require.ErrorIs(t, err, ErrReceiver, bad)
		}
		_, err := PromptPay("0812345678", -1)
		require.Error(t, err)
	})
}

func TestBill(t *testing.T) {
	got, err := Bill("010556100000100", "TU0000000123", "ORG01", 150_00)
	require.NoError(t, err)
	require.Contains(t, got, "30640016A00000067701011201150105561000001000212TU00000001230305ORG01")
	require.Contains(t, got, "5406150.00")
	require.NoError(t, check(got))

	for _, bad := range [][3]string{{"0105561000001", "A", ""}, {"010556100000100", "", ""}, {"010556100000100", "A B", ""}, {"010556100000100", "A", strings.Repeat("1", 21)}} {
		_, err := Bill(bad[0], bad[1], bad[2], 100)
		require.ErrorIs(t, err, ErrReceiver)
	}
}

// TestVectors compares with examples recomputed from public sources. Their fields are in another order than ours, which EMVCo
// allows.
func TestVectors(t *testing.T) {
	require.EqualValues(t, 0x29B1, checksum("123456789"))
	mobile := field("00", promptPay) + field("01", "0066812345678")
	require.Equal(t, "00020101021229370016A0000006770101110113006681234567853037645406150.005802TH6304C40C",
		seal(field("00", "01")+field("01", "12")+field("29", mobile)+field("53", "764")+field("54", "150.00")+field("58", "TH")))
	bill := field("00", billPayment) + field("01", "010556100000100") + field("02", "TU0000000123") + field("03", "ORG01")
	require.Equal(t, "00020101021230640016A00000067701011201150105561000001000212TU00000001230305ORG0153037645406150.005802TH63045572",
		seal(field("00", "01")+field("01", "12")+field("30", bill)+field("53", "764")+field("54", "150.00")+field("58", "TH")))
	require.NoError(t, check("00020101021230650016A00000067701011201150994000165501000212123456789012030667042953037645802TH54073649.2263044534"))
}

func check(payload string) error {
	want, err := strconv.ParseUint(payload[len(payload)-4:], 16, 16)
	if err == nil && uint16(want) != checksum(payload[:len(payload)-4]) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func TestPicture(t *testing.T) {
	text := "00020101021129370016A000000677010111011300668012345675802TH530376463046197"
	code, err := qrcode.New(text, qrcode.Medium)
	require.NoError(t, err)
	want := code.Bitmap()

	t.Run("the SVG has the same modules", func(t *testing.T) {
		svg, err := SVG(text)
		require.NoError(t, err)
		require.NoError(t, xml.Unmarshal([]byte(svg), new(struct{})))
		got := make([][]bool, len(want))
		for y := range got {
			got[y] = make([]bool, len(want))
		}
		for _, m := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1`).FindAllStringSubmatch(svg, -1) {
			x, y, n := number(t, m[1]), number(t, m[2]), number(t, m[3])
			for i := range n {
				got[y][x+i] = true
			}
		}
		require.Equal(t, want, got)
	})
	t.Run("the PNG has the size asked for", func(t *testing.T) {
		picture, err := PNG(text, 512)
		require.NoError(t, err)
		decoded, err := png.Decode(bytes.NewReader(picture))
		require.NoError(t, err)
		require.Equal(t, image.Pt(512, 512), decoded.Bounds().Size())
	})
	t.Run("a text too long for a QR is an error", func(t *testing.T) {
		_, err := SVG(strings.Repeat("x", 8000))
		require.Error(t, err)
	})
}

func number(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return n
}
