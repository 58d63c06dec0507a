import type { RuleTests } from './rule-tests.js'
import {
  escapeCodePoint,
  forComment,
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


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.getheaders()
        self.body = response.read()

    def header(self, name):
        values = [value for own, value in self.headers if own.lower() == name.lower()]
        return ", ".join(values) if values else None

    def members(self):
        """The members of the JSON object, in their order; it fails where the body is none."""
        pairs = json.loads(self.body.decode("utf-8"), object_pairs_hook=lambda pairs: Members(pairs))
        assert isinstance(pairs, Members), f"no JSON object: {self}"
        return pairs

    def member(self, name):
        values = [value for own, value in self.members().pairs if own == name]
        assert values, f"no member {name}: {self}"
        return values[-1]

    def __repr__(self):
        # A log is no place for a token, or for what a service echoes.
        shown = re.sub(rb'("\\w*token"\\s*:\\s*")[^"]+', rb"\\1...", self.body)
        for secret in SECRETS:
            shown = shown.replace(secret.encode(), b"...")
        return f"{self.status} with {shown[:500]!r}"


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


def token_of(answer):
    try:
        token = json.loads(answer.body.decode("utf-8")).get("access_token")
    except (ValueError, AttributeError):
        token = None
    in_location = re.search(r"access_token=[^&#\\s]", answer.header("Location") or "")
    return token or in_location


def media_type(value):
    essence, *parameters = [part.strip().lower().replace('"', "") for part in (value or "").split(";")]
    return [essence] + sorted(part for part in parameters if part)


def seconds(text):
    return email.utils.parsedate_to_datetime(text).timestamp()`

// pytest prints what is compared in an assertion: a body is compared before.
const HELPERS: Readonly<Record<string, string>> = {
  'yields token': `def yields_token(answer):
    assert token_of(answer), f"expected a token, found {answer}"`,
  'yields no token': `def yields_no_token(answer):
    assert not token_of(answer), f"expected no token, found {answer}"`,
  'status is': `def status_is(answer, status):
    assert answer.status == status, f"expected {status}, found {answer}"`,
  'status is success': `def status_is_success(answer):
    assert 200 <= answer.status <= 299, f"expected 2xx, found {answer}"`,
  'media type is': `def media_type_is(answer, expected):
    assert media_type(answer.header("Content-Type")) == media_type(expected), answer.headers`,
  'is json object': `def is_json_object(answer):
    names = [name for name, _ in answer.members().pairs]
    assert len(names) == len(set(names)), f"a member comes twice: {answer}"`,
  'json equals': `def json_equals(answer, expected):
    is_equal = json.loads(answer.body.decode("utf-8")) == json.loads(expected)
    assert is_equal, f"expected {expected}, found {answer}"`,
  'json includes': `def json_includes(answer, expected):
    members = answer.members()
    for name, value in json.loads(expected).items():
        is_there = name in members and members[name] == value
        assert is_there, f"expected {expected}, found {answer}"`,
  'has member': `def has_member(answer, name):
    is_there = name in answer.members()
    assert is_there, f"no member {name}: {answer}"`,
  'has no member': `def has_no_member(answer, name):
    is_there = name in answer.members()
    assert not is_there, f"a member {name}: {answer}"`,
  'member is text': `def member_is_text(answer, name):
    assert isinstance(answer.member(name), str), answer`,
  'member is not empty': `def member_is_not_empty(answer, name):
    assert answer.member(name), answer`,
  'member equals': `def member_equals(answer, name, expected):
    assert answer.member(name) == expected, f"expected {expected!r}, found {answer}"`,
  'member equals ignoring case': `def member_equals_ignoring_case(answer, name, expected):
    assert str(answer.member(name)).lower() == expected.lower(), f"expected {expected!r}, found {answer}"`,
  'member is date': `def member_is_date(answer, name):
    text = answer.member(name)
    again = email.utils.formatdate(seconds(text), usegmt=True)
    assert text == again, f"expected {again!r}, found {text!r}"`,
  'member is seconds': `def member_is_seconds(answer, name, lifetime):
    # A number with a fraction or an exponent is read as a float.
    value = answer.member(name)
    assert type(value) is int and value in (lifetime, lifetime - 1), f"expected {lifetime}, found {answer}"`,
  'member follows': `def member_follows(answer, name, earlier):
    names = [own for own, _ in answer.members().pairs]
    assert names.index(name) > names.index(earlier), f"expected {name} after {earlier}: {answer}"`,
  'seconds between': `def seconds_between(answer, first, last, expected, tolerance):
    found = seconds(answer.member(last)) - seconds(answer.member(first))
    assert abs(found - expected) <= tolerance, f"expected {expected}, found {found}: {answer}"`,
  'is near response time': `def is_near_response_time(answer, name, skew):
    date = answer.header("Date")
    now = time.time() if date is None else seconds(date)
    assert abs(seconds(answer.member(name)) - now) <= skew + 1, f"expected about {date}: {answer}"`,
  'is same answer as': `def is_same_answer_as(answer, other):
    kinds = [media_type(one.header("Content-Type")) for one in (answer, other)]
    bodies = [json.loads(one.body.decode("utf-8") or "null") for one in (answer, other)]
    is_same = answer.status == other.status and kinds[0] == kinds[1] and bodies[0] == bodies[1]
    assert is_same, f"{answer}, {other}"`,
  'has no body': `def has_no_body(answer):
    assert answer.body == b"", answer`,
  'lacks header': `def lacks_header(answer, name):
    assert answer.header(name) is None, answer.headers`,
  'header equals': `def header_equals(answer, name, expected):
    assert answer.header(name) == expected, answer.headers`,
  'header lacks': `def header_lacks(answer, name, text):
    assert text not in (answer.header(name) or ""), answer.headers`,
}
