package api

import (
	"welovevoucher/api/rest"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/token"
)

// Audiences that a call is open to.
var (
	noToken       []token.Audience
	anyone        = []token.Audience{token.Client, token.User, token.Agent, token.Owner, token.Staff, token.Admin}
	marketReaders = []token.Audience{token.Client, token.User, token.Agent}
	visitors      = []token.Audience{token.Client, token.User}
	user          = []token.Audience{token.User}
	agents        = []token.Audience{token.Agent}
	agentReaders  = []token.Audience{token.Client, token.Agent}
	scanners      = []token.Audience{token.Staff, token.Owner}
	admins        = []token.Audience{token.Admin}
)

// rights names for every operation who may call it, whether he must have agreed to the organisation's texts before (all that
// buys, tops up, uses, gives or sells; never reading, agreeing itself, leaving or being forgotten), and how often where strangers ask, where a call goes on to the payment
// gateway or takes something away from others, and where a code could be guessed at. What sells, gives, offers or takes money stops while the organisation is suspended; uses, refunds and
// whatever gives something back go on. The back office's stand beside its
// routes (owner.Rights). The server does not start when an operation is in neither.
var rights = rest.Rights{
	"/api/authen/web/client/{unique}":     {Audiences: noToken, Limit: ratelimit.Anonymous, Shared: ratelimit.AnonymousShared},
	"/api/authen/web/agent/{liffId}":      {Audiences: noToken, Limit: ratelimit.Anonymous, Shared: ratelimit.AnonymousShared},
	"/api/authen/webclient/{unique}/line": {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/agent/{liffId}/line":     {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/line/start":              {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/line/finish":             {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/owner/user":              {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/owner/line":              {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/staff/user":              {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/staff/line":              {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/admin/user":              {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/admin/line":              {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/registeruser/owner/line": {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/registeruser/line":       {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/registeruser/invitation": {Audiences: noToken, Limit: ratelimit.PerAddress},
	"/api/authen/rechecktoken":            {Audiences: noToken},
	"/api/authen/agentrechecktoken":       {Audiences: noToken},
	"/api/authen/getuserdetail":           {Audiences: noToken},
	"/api/authen/logout":                  {Audiences: anyone},

	"/api/public/contact/send": {Audiences: noToken, Limit: ratelimit.Contact, Shared: ratelimit.ContactShared},
	"/api/public/shop/find":    {Audiences: noToken, Limit: ratelimit.Anonymous, Shared: ratelimit.AnonymousShared},

	"/api/user/contact/send":           {Audiences: visitors, Limit: ratelimit.Contact, Shared: ratelimit.ContactShared},
	"/api/user/get/salepackage":        {Audiences: marketReaders, Stops: true},
	"/api/user/salepackage/detail":     {Audiences: marketReaders, Stops: true},
	"/api/user/salepackage/days":       {Audiences: marketReaders, Stops: true, Limit: ratelimit.Anonymous, Shared: ratelimit.AnonymousShared},
	"/api/user/get/tags":               {Audiences: marketReaders, Stops: true},
	"/api/user/get/service_point":      {Audiences: marketReaders},
	"/api/user/get/faq":                {Audiences: marketReaders},
	"/api/user/get/contactus":          {Audiences: marketReaders},
	"/api/user/get/membercardtype":     {Audiences: marketReaders},
	"/api/user/get/pdpa":               {Audiences: marketReaders},
	"/api/user/get/termsandconditions": {Audiences: marketReaders},
	"/api/user/get/customer":           {Audiences: user},
	"/api/user/get/agent":              {Audiences: user},
	"/api/user/get/agenttype":          {Audiences: user},
	"/api/user/consent/open":           {Audiences: user},
	"/api/user/consent/accept":         {Audiences: user},
	"/api/user/privacy/get":            {Audiences: user},
	"/api/user/privacy/export":         {Audiences: user, Limit: ratelimit.Export},
	"/api/user/privacy/erase":          {Audiences: user, Limit: ratelimit.Money},
	"/api/user/profile/customer":       {Audiences: user},
	"/api/user/profile/save":           {Audiences: user},
	"/api/user/mobile/request":         {Audiences: user, Limit: ratelimit.Money},
	"/api/user/mobile/verify":          {Audiences: user, Limit: ratelimit.Money},
	"/api/user/getwallet":              {Audiences: user},
	"/api/user/wallet/movements":       {Audiences: user},
	"/api/user/wallet/topup":           {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/wallet/topup/get":       {Audiences: user},
	"/api/user/wallet/payment-options": {Audiences: user, Stops: true},
	"/api/user/order/quote":            {Audiences: user, Stops: true},
	"/api/user/order/confirm":          {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/order/pay":              {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/order/awaiting":         {Audiences: user},
	"/api/user/order/cancel":           {Audiences: user, Limit: ratelimit.Money},
	"/api/user/order/list":             {Audiences: user},
	"/api/user/order/detail":           {Audiences: user},
	"/api/user/voucher/list":           {Audiences: user},
	"/api/user/voucher/detail":         {Audiences: user},
	"/api/user/voucher/use":            {Audiences: user, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/voucher/use/get":        {Audiences: user},
	"/api/user/voucher/use/cancel":     {Audiences: user, Limit: ratelimit.Money},
	"/api/user/voucher/history":        {Audiences: user},
	"/api/user/refund/options":         {Audiences: user},
	"/api/user/refund/make":            {Audiences: user, Limit: ratelimit.Money},
	"/api/user/receipt/get":            {Audiences: user},
	"/api/user/receipt/open":           {Audiences: visitors},
	"/api/user/receipt/link":           {Audiences: user, Limit: ratelimit.Money},
	"/api/user/receipt/send":           {Audiences: user, Limit: ratelimit.Receipt},
	"/api/user/refund/ask":             {Audiences: user, Limit: ratelimit.Money},
	"/api/user/refund/renew":           {Audiences: user, Limit: ratelimit.Money},
	"/api/user/refund/withdraw":        {Audiences: user},
	"/api/user/objection/use":          {Audiences: user},
	"/api/user/objection/make":         {Audiences: user, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/trade/setting":          {Audiences: marketReaders},
	"/api/user/trade/list":             {Audiences: marketReaders, Stops: true},
	"/api/user/trade/detail":           {Audiences: marketReaders},
	"/api/user/trade/check":            {Audiences: user, Stops: true, NeedsConsent: true},
	"/api/user/trade/create":           {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/trade/cancel":           {Audiences: user, Limit: ratelimit.Money},
	"/api/user/trade/buy":              {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/trade/pay":              {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/trade/payment":          {Audiences: user},
	"/api/user/trade/giveup":           {Audiences: user, Limit: ratelimit.Money},
	"/api/user/trade/report":           {Audiences: user, Limit: ratelimit.Money},
	"/api/user/trade/own":              {Audiences: user},
	"/api/user/history/list":           {Audiences: user},
	"/api/user/message/list":           {Audiences: user},
	"/api/user/message/unread":         {Audiences: user},
	"/api/user/message/read":           {Audiences: user},
	"/api/user/push/get":               {Audiences: user},
	"/api/user/push/save":              {Audiences: user},
	"/api/user/push/device":            {Audiences: user},
	"/api/user/transfer/create":        {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/transfer/setting":       {Audiences: user},
	"/api/user/transfer/list":          {Audiences: user},
	"/api/user/transfer/detail":        {Audiences: user},
	"/api/user/transfer/withdraw":      {Audiences: user, Limit: ratelimit.Money},
	"/api/user/transfer/begin":         {Audiences: user, Stops: true, Limit: ratelimit.Money},
	"/api/user/transfer/extend":        {Audiences: user, Stops: true, Limit: ratelimit.Money},
	"/api/user/transfer/open":          {Audiences: visitors, Limit: ratelimit.Anonymous, Shared: ratelimit.AnonymousShared},
	"/api/user/transfer/receive":       {Audiences: user, Stops: true, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/transfer/decline":       {Audiences: user, NeedsConsent: true, Limit: ratelimit.Money},
	"/api/user/transfer/thank":         {Audiences: user, Limit: ratelimit.Money},
	"/api/user/link/open":              {Audiences: user},

	"/api/staff/theme":                 {Audiences: scanners},
	"/api/staff/get/service_point":     {Audiences: scanners, Module: "activevoucher", Letter: "v"},
	"/api/staff/get/customer":          {Audiences: scanners},
	"/api/staff/get/agent":             {Audiences: scanners},
	"/api/staff/get/agenttype":         {Audiences: scanners},
	"/api/staff/voucher/verify":        {Audiences: scanners, Module: "activevoucher", Letter: "v", Limit: ratelimit.Scan},
	"/api/staff/voucher/verify/cancel": {Audiences: scanners, Module: "activevoucher", Letter: "v", Limit: ratelimit.Scan},
	"/api/staff/voucher/confirm":       {Audiences: scanners, Module: "activevoucher", Letter: "i", Limit: ratelimit.Redeem},
	"/api/staff/get/activevoucher":     {Audiences: scanners, Module: "activevoucher", Letter: "v"},

	"/api/agent/get/pdpa":               {Audiences: agentReaders},
	"/api/agent/get/termsandconditions": {Audiences: agentReaders},
	"/api/agent/consent/open":           {Audiences: agents},
	"/api/agent/consent/accept":         {Audiences: agents},
	"/api/agent/profile/agent":          {Audiences: agents},
	"/api/agent/get/salepackage":        {Audiences: agents, Stops: true},
	"/api/agent/get/customer":           {Audiences: agents},
	"/api/agent/get/agent":              {Audiences: agents},
	"/api/agent/get/agenttype":          {Audiences: agents},
	"/api/agent/link/create":            {Audiences: agents, Stops: true, NeedsConsent: true},
	"/api/agent/history":                {Audiences: agents},
	"/api/agent/summary":                {Audiences: agents},

	"/api/admin/theme":           {Audiences: admins},
	"/api/admin/line/link":       {Audiences: admins},
	"/api/admin/line/unlink":     {Audiences: admins},
	"/api/admin/organize/list":   {Audiences: admins, Module: "organize", Letter: "v"},
	"/api/admin/organize/detail": {Audiences: admins, Module: "organize", Letter: "v"},
	"/api/admin/organize/save":   {Audiences: admins, Module: "organize", Letter: "i", Limit: ratelimit.Connect},
	"/api/admin/organize/retry":  {Audiences: admins, Module: "organize", Letter: "u"},
	"/api/admin/plan/list":       {Audiences: admins, Module: "package", Letter: "v"},

	"/api/admin/contactus/list":   {Audiences: admins, Module: "contactus", Letter: "v"},
	"/api/admin/contactus/detail": {Audiences: admins, Module: "contactus", Letter: "v"},
	"/api/admin/contactus/answer": {Audiences: admins, Module: "contactus", Letter: "u"},

	"/api/admin/organize/options":        {Audiences: admins, Module: "organize", Letter: "v"},
	"/api/admin/organize/connections":    {Audiences: admins, Module: "organize", Letter: "v"},
	"/api/admin/organize/line/save":      {Audiences: admins, Module: "organize", Letter: "u", Limit: ratelimit.Connect},
	"/api/admin/organize/payment/save":   {Audiences: admins, Module: "organize", Letter: "u", Limit: ratelimit.Connect},
	"/api/admin/organize/host/add":       {Audiences: admins, Module: "organize", Letter: "u"},
	"/api/admin/organize/host/verify":    {Audiences: admins, Module: "organize", Letter: "u", Limit: ratelimit.Connect},
	"/api/admin/organize/host/canonical": {Audiences: admins, Module: "organize", Letter: "u"},
	"/api/admin/organize/host/remove":    {Audiences: admins, Module: "organize", Letter: "u"},
}
