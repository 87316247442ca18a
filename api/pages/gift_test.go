package pages

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/api/rest"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
)

func TestGiftAddress(t *testing.T) {
	const liff = "/1650000099-abcdefgh"
	for _, one := range []struct{ path, state, address string }{
		{"/transfer", "", "/transfer"},
		{"/transfer/", "?ref=secret", "/transfer"},
		{"/transfer/secret", "", "/transfer"},
		{"/transferuser" + liff, "", "/transferuser" + liff},
		{"/transferuser" + liff, "?ref=secret", "/transferuser" + liff},
		{"/transferuser" + liff + "/secret", "", "/transferuser" + liff},
		{"/user/transferdata", "", "/user/transferdata"},
		{"/user", "/transferdata?ref=secret", "/user/transferdata"},
		{"/welovevoucher" + liff + "/transferdata", "", "/welovevoucher" + liff + "/transferdata"},
		{"/welovevoucher" + liff, "/transferdata?ref=secret", "/welovevoucher" + liff + "/transferdata"},
		{"/welovevoucher" + liff + "/", "transferdata#secret", "/welovevoucher" + liff + "/transferdata"},
	} {
		address, is := giftAddress(one.path, one.state)
		require.True(t, is, "%v", one)
		require.Equal(t, one.address, address)
	}
	for _, one := range [][2]string{
		{"/", ""},
		{"/transferred", ""},
		{"/transferuser", ""},
		{"/user/transferdatas", ""},
		{"/user/market", "/transferdata"},
		{"/welovevoucher" + liff, "/market?next=/transferdata"},
		{"/welovevoucher" + liff, "/transferdata/../market"},
		{"/welovevoucher" + liff, "?ref=secret"},
	} {
		_, is := giftAddress(one[0], one[1])
		require.False(t, is, "%v", one)
	}
}

func TestALinkOfAGiftShowsNothingOfIt(t *testing.T) {
	pictures := newGiftPictures(os.DirFS(built), nil)
	its := colours{spa.Primary, spa.Secondary}
	for lang, want := range map[string]string{"th": `ของขวัญสำหรับคุณ - เรือน &#34;ละไม&#34;`, "en": "A gift for you - Ruean Lamai"} {
		req := &rest.Request{Org: &spa, Origin: "https://spa.example", Lang: lang}
		head := written(linkOf(&spa, req, its, spa.Name(lang), "", "/transfer/secret", shown{}).ofGift(&spa, req, "/transfer", pictures))
		require.Contains(t, head, `<meta property="og:title" content="`+want+`">`)
		require.Contains(t, head, `<meta property="og:url" content="https://spa.example/transfer">`)
		require.Contains(t, head, `<meta name="robots" content="noindex">`)
		require.Contains(t, head, `<meta property="og:description" content="`+giftSays[lang].description+`">`)
		require.Contains(t, head, `<meta property="og:image" content="https://spa.example/image/gift/`+spa.ID.String()+`/`+pictures.versionOf(&spa)+`/link.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="`+want+`">
<meta name="twitter:card" content="summary_large_image">
`)
		require.NotContains(t, head, "secret")
	}
	req := &rest.Request{Origin: "https://platform.example", Lang: "th"}
	head := written(linkOf(nil, req, its, fallbackTitle, "", "/transfer", shown{}).ofGift(nil, req, "/transfer", pictures))
	require.Contains(t, head, `<meta name="robots" content="noindex">`)
	require.Contains(t, head, `<meta property="og:title" content="`+fallbackTitle+`">`, "nobody's gift")
}

// pictureOf draws one, and says how long that took.
func pictureOf(t *testing.T, g *giftPictures, o *org.Org, name string) (image.Image, int) {
	t.Helper()
	began := time.Now()
	encoded, err := g.draw(t.Context(), o, name)
	require.NoError(t, err)
	t.Logf("%s: %d ms, %d KB", name, time.Since(began).Milliseconds(), len(encoded)/1024)
	if out := os.Getenv("PICTURES"); out != "" {
		require.NoError(t, os.WriteFile(out+"/"+o.Primary[1:]+name, encoded, 0o600))
	}
	m, _, err := image.Decode(bytes.NewReader(encoded))
	require.NoError(t, err)
	return m, len(encoded)
}

func TestGiftPictures(t *testing.T) {
	store, err := blob.OpenFolder(t.TempDir())
	require.NoError(t, err)
	g := newGiftPictures(os.DirFS(built), store)
	require.Len(t, g.drawings, 9, "the customer's app is not built: run npm run build in apps/")

	t.Run("a link's picture has the size that chats ask for, and the organisation's colours", func(t *testing.T) {
		m, bytes := pictureOf(t, g, &spa, linkPicture)
		require.Equal(t, image.Rect(0, 0, 1200, 630), m.Bounds())
		require.Less(t, bytes, 300<<10)
		red, green, blue, _ := m.At(5, 315).RGBA()
		require.InDeltaSlice(t, []uint32{0x1f, 0x5c, 0x4d}, []uint32{red >> 8, green >> 8, blue >> 8}, 3)
	})

	t.Run("each card has the size of a message's picture", func(t *testing.T) {
		for name := range g.drawings {
			if name == linkPicture {
				continue
			}
			m, bytes := pictureOf(t, g, &spa, name)
			require.Equal(t, image.Rect(0, 0, 1024, 768), m.Bounds())
			require.Less(t, bytes, 300<<10)
		}
	})

	t.Run("a logo is on it, one that is gone is not", func(t *testing.T) {
		withLogo := spa
		withLogo.Logo, withLogo.Primary = logo, "#1f5c4e"
		without, _ := pictureOf(t, g, &withLogo, linkPicture)
		var kept bytes.Buffer
		blue := image.NewRGBA(image.Rect(0, 0, 400, 200))
		draw.Draw(blue, blue.Bounds(), image.NewUniform(color.RGBA{0, 0, 255, 255}), image.Point{}, draw.Src)
		require.NoError(t, jpeg.Encode(&kept, blue, nil))
		require.NoError(t, store.Put(t.Context(), catalog.PictureKey(spa.ID, logo, 400), &kept, int64(kept.Len())))
		with, size := pictureOf(t, g, &withLogo, linkPicture)
		require.Less(t, size, 300<<10)
		for at, is := range map[image.Point]bool{{logoCentreX, logoCentreY}: true, {logoCentreX + 80, logoCentreY}: true, {logoCentreX + 120, logoCentreY}: false} {
			_, _, there, _ := with.At(at.X, at.Y).RGBA()
			_, _, before, _ := without.At(at.X, at.Y).RGBA()
			require.Equal(t, is, there>>8 > 240 && before>>8 < 240, at)
		}
	})

	t.Run("the address changes with what the picture is made of", func(t *testing.T) {
		seen := map[string]bool{g.folder(&spa): true}
		for _, change := range []func(o *org.Org){
			func(o *org.Org) { o.Primary = "#222222" }, func(o *org.Org) { o.Secondary = "#222222" }, func(o *org.Org) { o.Logo = logo },
		} {
			other := spa
			change(&other)
			require.False(t, seen[g.folder(&other)])
			seen[g.folder(&other)] = true
		}
	})

	t.Run("one is drawn at a time, and who waits too long is asked to come again", func(t *testing.T) {
		g.one <- struct{}{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := g.draw(ctx, &spa, linkPicture)
		require.ErrorIs(t, err, fault.RateLimited)
		<-g.one
	})
}
