package push

import (
	"fmt"
	"strings"

	"welovevoucher/platform/line"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/org"
)

// LINE's bounds: bubbles of a carousel, and runes of the text that a phone's list of chats shows.
const (
	maxBubbles = 12
	maxAlt     = 400
)

// link opens the inbox: in LINE where the organisation has an app there, else on its own host; empty where it has neither.
func (s *Service) link(shop org.Org) string {
	switch {
	case shop.Liff.User != "":
		return strings.TrimSuffix(s.liff, "/") + "/" + shop.Liff.User + "/inbox"
	case shop.Host != "":
		return "https://" + shop.Host + "/user/inbox"
	}
	return ""
}

// cards returns the message of a push: a bubble for each text, the first twelve of them.
func cards(shop org.Org, link, lang string, list []message.Message) line.Message {
	bubbles := make([]any, 0, maxBubbles)
	for _, m := range list[:min(len(list), maxBubbles)] {
		bubbles = append(bubbles, bubble(shop, link, lang, m))
	}
	title, text := in(lang, list[0])
	alt := []rune(title + ": " + text)
	contents := bubbles[0]
	if len(bubbles) > 1 {
		contents = map[string]any{"type": "carousel", "contents": bubbles}
		alt = []rune(fmt.Sprintf(map[string]string{"th": "%s และอีก %d เรื่อง", "en": "%s and %d more"}[lang], title, len(list)-1))
	}
	return line.Message{"type": "flex", "altText": string(alt[:min(len(alt), maxAlt)]), "contents": contents}
}

func in(lang string, m message.Message) (title, text string) {
	if lang == "en" {
		return m.TitleEN, m.TextEN
	}
	return m.TitleTH, m.TextTH
}

func bubble(shop org.Org, link, lang string, m message.Message) any {
	title, text := in(lang, m)
	b := map[string]any{
		"type": "bubble", "size": "kilo",
		"body": map[string]any{"type": "box", "layout": "vertical", "spacing": "sm", "contents": []any{
			map[string]any{"type": "text", "text": shop.Name(lang), "size": "xs", "color": shop.Primary, "weight": "bold"},
			map[string]any{"type": "text", "text": title, "size": "md", "weight": "bold", "wrap": true},
			map[string]any{"type": "text", "text": text, "size": "sm", "color": "#555555", "wrap": true},
		}},
	}
	if link != "" {
		open := map[string]string{"th": "เปิดดู", "en": "Open"}[lang]
		b["footer"] = map[string]any{"type": "box", "layout": "vertical", "contents": []any{
			map[string]any{"type": "button", "style": "link", "height": "sm", "action": map[string]any{"type": "uri", "label": open, "uri": link}},
		}}
	}
	return b
}
