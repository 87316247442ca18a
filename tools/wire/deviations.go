// Package wire tries the API as a client does that was written from the specification alone.
package wire

// Deviation is where the API differs from the specification's words on purpose.
type Deviation struct {
	Section       string // of the specification
	Specification string // what it says
	Here          string // what the API does
	Why           string
}

// Deviations are all of them that a client meets on the wire. Where the specification says that something is not shown, whatever the
// API does is no deviation.
var Deviations = map[string]Deviation{
	"satang": {
		"3, 9", "amounts of money in baht", "integers of satang in fields that end in _satang",
		"no float touches money, and a name that ends in its unit cannot be misread",
	},
	"id beside _id": {
		"3, 7", "_id", "a list answers _id, and id beside it, which calls that change a row take",
		"detail, save and status calls are not in the specification and take the id under one name; whoever reads _id finds it",
	},
	"staff sign in": {
		"7", "no sign-in calls of staff", "authen/staff/user and authen/staff/line, like owners'",
		"staff have a login page and no call in the specification",
	},
	"web client credentials": {
		"7", "web/client takes token, username, password, autorenew and channel", "all are taken, none raises a right",
		"an anonymous session is anonymous; who has a password signs in by the call of his audience",
	},
	"LIFF's token once": {
		"7", "LINETOKEN", "an ID token opens sessions in one browser only",
		"a stolen token is worth nothing elsewhere",
	},
	"register by invitation": {
		"2.1, 7", "registeruser/owner/line and registeruser/line with a token", "the token is an invitation's, single use, 72 hours",
		"nobody makes himself an account of an organisation",
	},
	"strict bodies": {
		"7", "bodies by example", "an unknown field or filter is 422 and names the field",
		"a misspelled filter that is ignored shows too much",
	},
	"whole rows by 200": {
		"7", "lists with a limit", "whole rows come by 200; id/name records by 5000, agents by 10000",
		"thousands of whole rows are read page by page",
	},
	"agents see themselves": {
		"7", "get/agent, get/customer, get/agenttype for every default path", "agents get what is theirs, with customers' names masked; customers and the door get empty lists",
		"nobody sees personal data of others by a list",
	},
	"active texts": {
		"7", "detail.data versions; the one of the accepted version id is used", "the versions in force, of which that is one",
		"a text that is no longer in force can be agreed to by nobody",
	},
	"module letters filled": {
		"3, 6", "full roles have full rights", "permission.mod lists their letters as everybody's, of what the plan has",
		"a menu is then drawn from one place",
	},
	"role of an admin": {
		"3", "Admin: role, permission_admin", "beside the profile; of accounts of an organisation they are in org",
		"an admin is in no organisation",
	},
	"mobile number": {
		"3", "mobilenumber of a profile", "without its middle: 08x-xxx-1234", "who holds the phone for a moment need not read it; the export has it whole",
	},
	"message of bad input": {
		"5, 8", "one text for each rule", "message is the text of the first field that is wrong; fields name all, each by a stable code",
		"several fields may be wrong at once",
	},
	"e-mail text": {
		"5", "a message asks to enter the e-mail address", "'Please enter your e-mail address.'", "its words are not given",
	},
	"wallet text": {
		"8", "'Sorry, you have insufficient balance in your Wallet. Please add ...'", "… Please add money first", "the end is not given",
	},
	"optionupdate table": {
		"4, 7", "optionupdate carries refreshed option lists", "{table, data}: one list an event; without data where it is longer than 200, or not the receiver's to see",
		"a push to many stays small, and no list reaches who may not read it",
	},
	"no command_print balance": {
		"4", "command_print updates the member balance", "it names what changed; the balance is asked for",
		"an event may be lost or late, and money is never shown from one",
	},
	"organize in filters": {
		"7", "filter{organize}", "taken, and the session's organisation is the one whose rows are answered",
		"who asks is what decides whose rows he sees, never what he asks with",
	},
	"numbers as people write them": {
		"5", "ID card, passport and tax id of digits and capital letters", "an application takes them with dashes, spaces and small letters, and keeps them without",
		"that is how they stand on a card, and how a phone types them",
	},
	"e-mail in forms": {
		"5", "e-mail 60", "60 in forms, 254 on the wire", "section 5 gives both: 60 for a form's field, 6 to 254 for an address",
	},
	"disconnect": {
		"7", "event disconnected", "socket.io's own name is disconnect; our client reports disconnected beside it", "the library decides its events' names",
	},
	"language of messages": {
		"4", "a Thai message that the session expired", "message is English on the wire; screens say it in their reader's language", "one text on the wire",
	},
	"status of refusals": {
		"7", "result, detail, message, code", "code is the HTTP status as well, and fault a stable code", "a client decides by code and fault, never by words",
	},
}
