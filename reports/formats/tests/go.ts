import type { RuleTests } from './rule-tests.js'
import {
  escapeCodePoint,
  forComment,
  PLAIN_NAME,
  PLAIN_TEXT,
  preamble,
  quoted,
  type TestLanguage,
  testFile,
} from './test-language.js'

const quote = (text: string): string => quoted(text, escapeCodePoint)

const GO: TestLanguage = {
  quote,
  indent: '\t',
  functionName: (words) => words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
  repeat: (literal, times) => `strings.Repeat(${literal}, ${times})`,
  run: { lower: 'run', upper: 'strings.ToUpper(run)' },
  plus: '+',
  context: 't',
  none: 'nil',
  pairs: (pairs) =>
    pairs.length === 0
      ? 'nil'
      : `[][2]string{${pairs.map(([name, value]) => `{${name}, ${value}}`).join(', ')}}`,
  sending: (answer, call) => `${answer} := ${withBody(call)}`,
  statement: (call) => (call.startsWith('send(') ? withBody(call) : call),
  test: ({ rule, statement, title, message, skip }, name, lines) =>
    [
      `// ${forComment(`${rule}: ${statement}`)}`,
      `// ${forComment(title)}`,
      ...(message === '' ? [] : [`// It failed: ${forComment(message)}`]),
      `func TestRule_${name}(t *testing.T) {`,
      ...(skip === undefined ? [] : [`\tt.Skip(${quote(skip)})`]),
      ...lines.map((line) => `\t${line}`),
      '}',
    ].join('\n'),
  file: (suite, tests, helpers) =>
    `${[
      preamble(suite, '`go test` runs this file.')
        .map((line) => `// ${line}`.trimEnd())
        .join('\n'),
      CORE,
      ...helpers.flatMap((name) => HELPERS[name] ?? []),
      ...tests,
    ].join('\n\n')}\n`,
}

/** A body is text or none. */
function withBody(call: string): string {
  return call.endsWith(',\n\tnil)') ? call : call.replace(/^send\(/, 'sendBody(')
}

/** A file for `go test`, with nothing but Go's own library. */
export function renderGo(suite: RuleTests): string {
  return testFile(suite, GO)
}

const CORE = `package tokenassay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var (
	run       = newRun()
	texts     = regexp.MustCompile("\\"((?:[^\\"\\\\\\\\]|\\\\\\\\.)*)\\"?(\\\\s*:)?")
	plainName = regexp.MustCompile("^${PLAIN_NAME}$")
	plainText = regexp.MustCompile(${quote(`^(?:${PLAIN_TEXT})$`)})
	secrets   []string
	transport = &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	_, _, _   = sort.Strings, strconv.Atoi, strings.Repeat
)

type answerOf struct {
	status  int
	headers http.Header
	body    []byte
}

func (a answerOf) String() string {
	if !json.Valid(a.body) {
		return fmt.Sprintf("%d with %d bytes that are no JSON", a.status, len(a.body))
	}
	shown := texts.ReplaceAllStringFunc(fmt.Sprintf("%.1000s", a.body), func(found string) string {
		parts := texts.FindStringSubmatch(found)
		isShown := plainText.MatchString(parts[1])
		if parts[2] != "" {
			isShown = plainName.MatchString(parts[1])
		}
		if isShown {
			return found
		}
		return "\\"...\\"" + parts[2]
	})
	return fmt.Sprintf("%d with %s", a.status, hidden(shown))
}

func hidden(text string) string {
	sort.Slice(secrets, func(one, other int) bool { return len(secrets[one]) > len(secrets[other]) })
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, secret, "...")
	}
	return text
}

// plain gives a short word, an error code, a media type or a date: a log is no place for what a service echoes.
func plain(text string) string {
	if !plainText.MatchString(text) {
		return "..."
	}
	return hidden(text)
}

func newRun() string {
	bytes := make([]byte, 3)
	_, _ = rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

func environment(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("set the environment variable %s: the head of this file says what it holds", name)
	}
	if strings.HasPrefix(name, "TOKEN_ASSAY_BASE_URL") {
		if !regexp.MustCompile("^https?://.").MatchString(value) {
			t.Fatalf("%s: expected http:// or https:// before the host", name)
		}
		return strings.TrimSuffix(value, "/")
	}
	secrets = append(secrets, value, inForm(value), inJson(value))
	return value
}

func inForm(value string) string {
	return url.QueryEscape(value)
}

func inJson(value string) string {
	text, _ := json.Marshal(value)
	return string(text[1 : len(text)-1])
}

func sendBody(t *testing.T, method, address string, headers [][2]string, body string) answerOf {
	t.Helper()
	return send(t, method, address, headers, &body)
}

func send(t *testing.T, method, address string, headers [][2]string, body *string) answerOf {
	t.Helper()
	var content io.Reader
	if body != nil {
		content = strings.NewReader(*body)
	}
	host := strings.SplitN(address, "/", 4)
	wait, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(wait, method, strings.Join(host[:3], "/")+"/", content)
	if err != nil {
		t.Fatal(err)
	}
	if len(host) > 3 {
		request.URL.Opaque = "/" + host[3]
	}
	if strings.HasPrefix(request.URL.Opaque, "//") {
		// Go takes this for a host.
		request.URL.Opaque = "//" + host[2] + request.URL.Opaque
	}
	request.Header = http.Header{"User-Agent": nil}
	for _, header := range headers {
		request.Header[header[0]] = append(request.Header[header[0]], header[1])
	}
	response, err := transport.RoundTrip(request)
	var ofNetwork net.Error
	if errors.As(err, &ofNetwork) {
		t.Fatal(err)
	}
	if err != nil {
		// It shows what cannot be read.
		t.Fatal("the answer could not be read")
	}
	defer response.Body.Close()
	bytes, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal("the answer could not be read")
	}
	return answerOf{response.StatusCode, response.Header, bytes}
}

// members gives the members of the JSON object, and their names in order.
func members(t *testing.T, answer answerOf) (map[string]any, []string) {
	t.Helper()
	var found map[string]any
	if !utf8.Valid(answer.body) || json.Unmarshal(answer.body, &found) != nil || found == nil {
		t.Fatalf("no JSON object: %v", answer)
	}
	var names []string
	decoder := json.NewDecoder(bytes.NewReader(answer.body))
	_, _ = decoder.Token()
	for decoder.More() {
		name, _ := decoder.Token()
		var value any
		_ = decoder.Decode(&value)
		names = append(names, fmt.Sprint(name))
	}
	return found, names
}

func member(t *testing.T, answer answerOf, name string) any {
	t.Helper()
	found, _ := members(t, answer)
	value, isThere := found[name]
	if !isThere {
		t.Fatalf("no member %s: %v", name, answer)
	}
	return value
}

func hasToken(answer answerOf) bool {
	var found map[string]any
	_ = json.Unmarshal(answer.body, &found)
	token := found["access_token"]
	inLocation := regexp.MustCompile("access_token=[^&#\\\\s]").MatchString(answer.headers.Get("Location"))
	return (token != nil && token != "" && token != false) || inLocation
}

func mediaType(value string) string {
	parts := strings.Split(strings.ReplaceAll(strings.ToLower(value), "\\"", ""), ";")
	var parameters []string
	for _, part := range parts[1:] {
		if part = strings.TrimSpace(part); part != "" {
			parameters = append(parameters, part)
		}
	}
	sort.Strings(parameters)
	return strings.Join(append([]string{strings.TrimSpace(parts[0])}, parameters...), ";")
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if len(text) > 0 && json.Unmarshal(text, &value) != nil {
		t.Fatalf("%d bytes that are no JSON", len(text))
	}
	return value
}

func instant(t *testing.T, value any) time.Time {
	t.Helper()
	found, err := http.ParseTime(fmt.Sprint(value))
	if err != nil {
		t.Fatalf("no date: %s", plain(fmt.Sprint(value)))
	}
	return found
}

func expect(t *testing.T, isRight bool, answer answerOf, expected ...any) {
	t.Helper()
	if !isRight {
		t.Fatalf("expected %v, found %v", fmt.Sprint(expected...), answer)
	}
}

var _ = []any{mediaType, decoded, instant, expect, hasToken, member, inForm, inJson, sendBody, reflect.DeepEqual}`

const HELPERS: Readonly<Record<string, string>> = {
  'yields token': `func yieldsToken(t *testing.T, answer answerOf) {
	t.Helper()
	expect(t, hasToken(answer), answer, "a token")
}`,
  'yields no token': `func yieldsNoToken(t *testing.T, answer answerOf) {
	t.Helper()
	expect(t, !hasToken(answer), answer, "no token")
}`,
  'status is': `func statusIs(t *testing.T, answer answerOf, status int) {
	t.Helper()
	expect(t, answer.status == status, answer, status)
}`,
  'status is success': `func statusIsSuccess(t *testing.T, answer answerOf) {
	t.Helper()
	expect(t, answer.status/100 == 2, answer, "2xx")
}`,
  'media type is': `func mediaTypeIs(t *testing.T, answer answerOf, expected string) {
	t.Helper()
	found := answer.headers.Get("Content-Type")
	if mediaType(found) != mediaType(expected) {
		t.Fatalf("expected %s, found %s", expected, plain(found))
	}
}`,
  'is json object': `func isJsonObject(t *testing.T, answer answerOf) {
	t.Helper()
	found, names := members(t, answer)
	expect(t, len(found) == len(names), answer, "each member once")
}`,
  'json equals': `func jsonEquals(t *testing.T, answer answerOf, expected string) {
	t.Helper()
	expect(t, reflect.DeepEqual(decoded(t, answer.body), decoded(t, []byte(expected))), answer, expected)
}`,
  'json includes': `func jsonIncludes(t *testing.T, answer answerOf, expected string) {
	t.Helper()
	for name, value := range decoded(t, []byte(expected)).(map[string]any) {
		expect(t, reflect.DeepEqual(member(t, answer, name), value), answer, expected)
	}
}`,
  'has member': `func hasMember(t *testing.T, answer answerOf, name string) {
	t.Helper()
	member(t, answer, name)
}`,
  'has no member': `func hasNoMember(t *testing.T, answer answerOf, name string) {
	t.Helper()
	found, _ := members(t, answer)
	_, isThere := found[name]
	expect(t, !isThere, answer, "no member ", name)
}`,
  'member is text': `func memberIsText(t *testing.T, answer answerOf, name string) {
	t.Helper()
	_, isText := member(t, answer, name).(string)
	expect(t, isText, answer, "a text in ", name)
}`,
  'member is not empty': `func memberIsNotEmpty(t *testing.T, answer answerOf, name string) {
	t.Helper()
	value := member(t, answer, name)
	expect(t, value != nil && value != "", answer, "a value in ", name)
}`,
  'member equals': `func memberEquals(t *testing.T, answer answerOf, name, expected string) {
	t.Helper()
	expect(t, member(t, answer, name) == expected, answer, expected)
}`,
  'member equals ignoring case': `func memberEqualsIgnoringCase(t *testing.T, answer answerOf, name, expected string) {
	t.Helper()
	expect(t, strings.EqualFold(fmt.Sprint(member(t, answer, name)), expected), answer, expected)
}`,
  'member is date': `func memberIsDate(t *testing.T, answer answerOf, name string) {
	t.Helper()
	text := member(t, answer, name)
	again := instant(t, text).UTC().Format(http.TimeFormat)
	expect(t, text == again, answer, again)
}`,
  'member is seconds': `func memberIsSeconds(t *testing.T, answer answerOf, name string, lifetime int) {
	t.Helper()
	raw := regexp.MustCompile("\\"" + regexp.QuoteMeta(name) + "\\"\\\\s*:\\\\s*(\\\\d+)\\\\s*[,}]").FindSubmatch(answer.body)
	found := -1
	if raw != nil {
		found, _ = strconv.Atoi(string(raw[1]))
	}
	isOwn := member(t, answer, name) == float64(found)
	expect(t, isOwn && (found == lifetime || found == lifetime-1), answer, lifetime)
}`,
  'member follows': `func memberFollows(t *testing.T, answer answerOf, name, earlier string) {
	t.Helper()
	_, names := members(t, answer)
	first, last := -1, -1
	for at, own := range names {
		if own == earlier {
			first = at
		}
		if own == name {
			last = at
		}
	}
	expect(t, last > first, answer, name, " after ", earlier)
}`,
  'seconds between': `func secondsBetween(t *testing.T, answer answerOf, first, last string, expected, tolerance float64) {
	t.Helper()
	found := instant(t, member(t, answer, last)).Sub(instant(t, member(t, answer, first))).Seconds()
	isRight := found >= expected-tolerance && found <= expected+tolerance
	expect(t, isRight, answer, fmt.Sprintf("%.0f seconds and not %.0f", expected, found))
}`,
  'is near response time': `func isNearResponseTime(t *testing.T, answer answerOf, name string, skew float64) {
	t.Helper()
	now := time.Now()
	if date := answer.headers.Get("Date"); date != "" {
		now = instant(t, date)
	}
	apart := instant(t, member(t, answer, name)).Sub(now).Abs().Seconds()
	expect(t, apart <= skew+1, answer, now)
}`,
  'is same answer as': `func isSameAnswerAs(t *testing.T, answer, other answerOf) {
	t.Helper()
	types := [2]string{mediaType(answer.headers.Get("Content-Type")), mediaType(other.headers.Get("Content-Type"))}
	isSame := answer.status == other.status && types[0] == types[1]
	expect(t, isSame && reflect.DeepEqual(decoded(t, answer.body), decoded(t, other.body)), answer, other)
}`,
  'has no body': `func hasNoBody(t *testing.T, answer answerOf) {
	t.Helper()
	expect(t, len(answer.body) == 0, answer, "no body")
}`,
  'lacks header': `func lacksHeader(t *testing.T, answer answerOf, name string) {
	t.Helper()
	expect(t, len(answer.headers.Values(name)) == 0, answer, "no header ", name)
}`,
  'header equals': `func headerEquals(t *testing.T, answer answerOf, name, expected string) {
	t.Helper()
	expect(t, strings.Join(answer.headers.Values(name), ", ") == expected, answer, expected)
}`,
  'header lacks': `func headerLacks(t *testing.T, answer answerOf, name, text string) {
	t.Helper()
	expect(t, !strings.Contains(strings.Join(answer.headers.Values(name), ", "), text), answer, "no ", text)
}`,
}
