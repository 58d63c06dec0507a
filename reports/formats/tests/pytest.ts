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

const PYTHON: TestLanguage = {
  quote,
  indent: '    ',
  functionName: (words) => words.replaceAll(' ', '_'),
  repeat: (literal, times) => `${literal} * ${times}`,
  run: { lower: 'RUN', upper: 'RUN.upper()' },
  plus: ' + ',
  context: '',
  none: 'None',
  pairs: (pairs) => `[${pairs.map(([name, value]) => `(${name}, ${value})`).join(', ')}]`,
  sending: (answer, call) => `${answer} = ${call}`,
  statement: (call) => call,
  test: ({ statement, title, message, skip }, name, lines) =>
    [
      ...(skip === undefined ? [] : [`@pytest.mark.skip(reason=${quote(skip)})`]),
      `def test_${name}():`,
      `    ${quote(statement)}`,
      `    # ${forComment(title)}`,
      ...(message === '' ? [] : [`    # It failed: ${forComment(message)}`]),
      ...lines.map((line) => `    ${line}`),
    ].join('\n'),
  file: (suite, tests, helpers) =>
    `${[
      preamble(suite, 'pytest runs this file.')
        .map((line) => (line === '' ? '#' : `# ${line}`))
        .join('\n'),
      CORE,
      ...helpers.flatMap((name) => HELPERS[name] ?? []),
      ...tests,
    ].join('\n\n\n')}\n`,
}

/** A file for pytest, with nothing but Python's own library. */
export function renderPytest(suite: RuleTests): string {
  return testFile(suite, PYTHON)
}

const CORE = `import email.utils
import http.client
import json
import os
import re
import secrets
import time
import urllib.parse

import pytest

RUN = secrets.token_hex(3)
SECRETS = set()


def environment(name):
    value = os.environ.get(name, "")
    assert value, f"set the environment variable {name}: the head of this file says what it holds"
    if name.startswith("TOKEN_ASSAY_BASE_URL"):
        assert re.match("https?://.", value), f"{name}: expected http:// or https:// before the host"
        return value.rstrip("/")
    SECRETS.update((value, in_form(value), in_json(value)))
    return value


def in_form(value):
    return urllib.parse.quote_plus(value)


def in_json(value):
    return json.dumps(value)[1:-1]


def hidden(text):
    for secret in sorted(SECRETS, key=len, reverse=True):
        text = text.replace(secret, "...")
    return text


def plain(text):
    """It, where it is a short word, an error code, a media type or a date: a log is no place for what a service echoes."""
    return hidden(text) if PLAIN.fullmatch(text or "none") else "..."


PLAIN = re.compile(
    r"${PLAIN_TEXT}"
)
NAME = re.compile(r"${PLAIN_NAME}")
STRING = re.compile(r'"((?:[^"\\\\]|\\\\.)*)"?(\\s*:)?')


def without_values(match):
    text, colon = match.group(1), match.group(2) or ""
    is_shown = NAME.fullmatch(text) if colon else PLAIN.fullmatch(text)
    return f'"{text if is_shown else "..."}"{colon}'


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.getheaders()
        self.body = response.read()

    def header(self, name):
        values = [value for own, value in self.headers if own.lower() == name.lower()]
        return ", ".join(values) if values else None

    def value(self, **options):
        """What the JSON is; it fails where the body is none. A parser's own error would show the body."""
        __tracebackhide__ = True
        try:
            return json.loads(self.body.decode("utf-8"), **options)
        except ValueError:
            pass
        pytest.fail(f"no JSON: {self}")

    def members(self):
        """The members of the JSON object, in their order; it fails where the body is none."""
        pairs = self.value(object_pairs_hook=lambda pairs: Members(pairs))
        is_object = isinstance(pairs, Members)
        assert is_object, f"no JSON object: {self}"
        return pairs

    def member(self, name):
        values = [value for own, value in self.members().pairs if own == name]
        is_there = len(values) > 0
        assert is_there, f"no member {name}: {self}"
        return values[-1]

    def __repr__(self):
        text = self.body.decode("utf-8", "replace")
        try:
            json.loads(text)
        except ValueError:
            return f"{self.status} with {len(text)} characters that are no JSON"
        return f"{self.status} with {hidden(STRING.sub(without_values, text[:1000]))}"


class Members(dict):
    def __init__(self, pairs):
        super().__init__(pairs)
        self.pairs = pairs


def send(*request):
    # pytest prints the arguments of what raises, and a log is no place for a password.
    __tracebackhide__ = True
    try:
        return exchange(*request)
    except Exception as error:
        reason = error if isinstance(error, OSError) else type(error).__name__
    pytest.fail(f"the request could not be sent, or its answer not be read: {reason}")


def exchange(method, url, headers, body):
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc.rpartition("@")[2], timeout=30)
    target = url.split(parts.netloc, 1)[1] or "/"
    connection.putrequest(method, target, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value.encode("utf-8"))
    data = b"" if body is None else body.encode("utf-8")
    if body is not None:
        connection.putheader("Content-Length", str(len(data)))
    connection.endheaders(data)
    answer = Answer(connection.getresponse())
    connection.close()
    return answer


def has_token(answer):
    try:
        found = json.loads(answer.body.decode("utf-8"))
    except ValueError:
        found = None
    in_location = re.search(r"access_token=[^&#\\s]", answer.header("Location") or "")
    return bool(isinstance(found, dict) and found.get("access_token")) or in_location is not None


def media_type(value):
    essence, *parameters = [part.strip().lower().replace('"', "") for part in (value or "").split(";")]
    return [essence] + sorted(part for part in parameters if part)


def parts_of(answer):
    value = answer.value() if answer.body else None
    return [answer.status, media_type(answer.header("Content-Type")), value]


def seconds(text):
    __tracebackhide__ = True
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except Exception:
        pass
    pytest.fail(f"no date: {plain(str(text))}")`

// pytest prints what an assertion compares: only whether it is right is asserted.
const helper = (signature: string, isRight: string, expected: string, ...before: readonly string[]): string =>
  [
    `def ${signature}:`,
    ...before,
    `is_right = ${isRight}`,
    `assert is_right, f"expected ${expected}, found {answer}"`,
  ].join('\n    ')

const HELPERS: Readonly<Record<string, string>> = {
  'yields token': helper('yields_token(answer)', 'has_token(answer)', 'a token'),
  'yields no token': helper('yields_no_token(answer)', 'not has_token(answer)', 'no token'),
  'status is': helper('status_is(answer, status)', 'answer.status == status', '{status}'),
  'status is success': helper('status_is_success(answer)', '200 <= answer.status <= 299', '2xx'),
  'media type is': helper(
    'media_type_is(answer, expected)',
    'media_type(found) == media_type(expected)',
    '{expected!r} and not {plain(found)}',
    'found = answer.header("Content-Type")',
  ),
  'is json object': helper(
    'is_json_object(answer)',
    'len(names) == len(set(names))',
    'each member once',
    'names = [name for name, _ in answer.members().pairs]',
  ),
  'json equals': helper(
    'json_equals(answer, expected)',
    'answer.value() == json.loads(expected)',
    '{expected}',
  ),
  'json includes': helper(
    'json_includes(answer, expected)',
    'all(name in members and members[name] == value for name, value in json.loads(expected).items())',
    '{expected}',
    'members = answer.members()',
  ),
  'has member': helper('has_member(answer, name)', 'name in answer.members()', 'a member {name}'),
  'has no member': helper('has_no_member(answer, name)', 'name not in answer.members()', 'no member {name}'),
  'member is text': helper(
    'member_is_text(answer, name)',
    'isinstance(answer.member(name), str)',
    'a text in {name}',
  ),
  'member is not empty': helper(
    'member_is_not_empty(answer, name)',
    'bool(answer.member(name))',
    'a value in {name}',
  ),
  'member equals': helper(
    'member_equals(answer, name, expected)',
    'answer.member(name) == expected',
    '{name} to be {expected!r}',
  ),
  'member equals ignoring case': helper(
    'member_equals_ignoring_case(answer, name, expected)',
    'str(answer.member(name)).lower() == expected.lower()',
    '{name} to be {expected!r}',
  ),
  'member is date': helper(
    'member_is_date(answer, name)',
    'answer.member(name) == again',
    '{name} to be {again!r}',
    'again = email.utils.formatdate(seconds(answer.member(name)), usegmt=True)',
  ),
  'member is seconds': helper(
    'member_is_seconds(answer, name, lifetime)',
    'type(value) is int and value in (lifetime, lifetime - 1)',
    '{lifetime}',
    '# A number with a fraction or an exponent is read as a float.',
    'value = answer.member(name)',
  ),
  'member follows': helper(
    'member_follows(answer, name, earlier)',
    'name in names and earlier in names and names.index(name) > names.index(earlier)',
    '{name} after {earlier}',
    'names = [own for own, _ in answer.members().pairs]',
  ),
  'seconds between': helper(
    'seconds_between(answer, first, last, expected, tolerance)',
    'abs(found - expected) <= tolerance',
    '{expected} seconds and not {found}',
    'found = seconds(answer.member(last)) - seconds(answer.member(first))',
  ),
  'is near response time': helper(
    'is_near_response_time(answer, name, skew)',
    'abs(seconds(answer.member(name)) - now) <= skew + 1',
    '{name} about {email.utils.formatdate(now, usegmt=True)}',
    'date = answer.header("Date")',
    'now = time.time() if date is None else seconds(date)',
  ),
  'is same answer as': helper(
    'is_same_answer_as(answer, other)',
    'parts_of(answer) == parts_of(other)',
    '{other}',
  ),
  'has no body': helper('has_no_body(answer)', 'answer.body == b""', 'no body'),
  'lacks header': helper('lacks_header(answer, name)', 'answer.header(name) is None', 'no header {name}'),
  'header equals': helper(
    'header_equals(answer, name, expected)',
    'answer.header(name) == expected',
    '{name}: {expected} and not {plain(answer.header(name))}',
  ),
  'header lacks': helper(
    'header_lacks(answer, name, text)',
    'text not in (answer.header(name) or "")',
    '{name} without {text!r}',
  ),
}
