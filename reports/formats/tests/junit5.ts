import type { RuleTests } from './rule-tests.js'
import {
  escapeUnits,
  forComment,
  PLAIN_NAME,
  PLAIN_TEXT,
  preamble,
  quoted,
  type TestLanguage,
  testFile,
} from './test-language.js'

/** `\u000a` would be a line end before the literal is read: a control is spelled in octal. */
export const quoteJava = (text: string): string =>
  quoted(text, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x80 ? `\\${code.toString(8).padStart(3, '0')}` : escapeUnits(character)
  })

const JAVA: TestLanguage = {
  quote: quoteJava,
  indent: '    ',
  functionName: (words) => words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
  repeat: (literal, times) => `${literal}.repeat(${times})`,
  run: { lower: 'RUN', upper: 'RUN.toUpperCase()' },
  plus: ' + ',
  context: '',
  none: 'null',
  pairs: (pairs) => `List.of(${pairs.flat().join(', ')})`,
  sending: (answer, call) => `Answer ${answer} = ${call};`,
  statement: (call) => `${call};`,
  test: ({ rule, statement, title, message, skip }, name, lines) =>
    [
      `    // ${forComment(title)}`,
      ...(message === '' ? [] : [`    // It failed: ${forComment(message)}`]),
      '    @Test',
      ...(skip === undefined ? [] : [`    @Disabled(${quoteJava(skip)})`]),
      `    @DisplayName(${quoteJava(`${rule}: ${statement}`)})`,
      `    void rule_${name}() throws Exception {`,
      ...lines.map((line) => `        ${line}`),
      '    }',
    ].join('\n'),
  file: (suite, tests, helpers) =>
    `${[
      [
        ...preamble(suite, 'JUnit 5 runs this file.').map((line) => `// ${line}`.trimEnd()),
        '',
        IMPORTS,
        '',
        'class TokenAssayTest {',
        CORE,
      ].join('\n'),
      ...helpers.flatMap((name) => HELPERS[name] ?? []),
      ...tests,
      '}',
    ].join('\n\n')}\n`,
}

/** A file for JUnit 5, with nothing but the JDK (17 or later). */
export function renderJunit5(suite: RuleTests): string {
  return testFile(suite, JAVA)
}

const IMPORTS = `import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;`

const CORE = `    static final String RUN = String.format("%06x", new SecureRandom().nextInt(1 << 24));
    static final List<String> SECRETS = new ArrayList<>();
    static final Pattern PLAIN = Pattern.compile(
        ${quoteJava(PLAIN_TEXT)});
    static final Pattern NAME = Pattern.compile("${PLAIN_NAME}");
    static final Pattern STRING = Pattern.compile("\\"((?:[^\\"\\\\\\\\]++|\\\\\\\\.)*+)\\"?(\\\\s*:)?");
    static final DateTimeFormatter DATE =
        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);

    static String environment(String name) {
        String value = System.getenv(name);
        assertTrue(value != null && !value.isEmpty(),
            "set the environment variable " + name + ": the head of this file says what it holds");
        if (name.startsWith("TOKEN_ASSAY_BASE_URL")) {
            assertTrue(value.matches("https?://.+"), name + ": expected http:// or https:// before the host");
            return value.replaceAll("/$", "");
        }
        SECRETS.addAll(List.of(value, inForm(value), inJson(value)));
        return value;
    }

    static String inForm(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    static String inJson(String value) {
        return value.replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"").replace("\\n", "\\\\n");
    }

    record Answer(int status, List<String[]> headers, String body) {
        String header(String name) {
            String found = headers.stream().filter(pair -> pair[0].equalsIgnoreCase(name))
                .map(pair -> pair[1]).collect(Collectors.joining(", "));
            return headers.stream().anyMatch(pair -> pair[0].equalsIgnoreCase(name)) ? found : null;
        }

        Map<?, ?> members() {
            Object value = new Json(body).whole();
            assertTrue(value instanceof Map, "no JSON object: " + this);
            return (Map<?, ?>) value;
        }

        Object member(String name) {
            assertTrue(members().containsKey(name), "no member " + name + ": " + this);
            return members().get(name);
        }

        @Override
        public String toString() {
            try {
                new Json(body).whole();
            } catch (AssertionError | RuntimeException none) {
                return status + " with " + body.length() + " characters that are no JSON";
            }
            String shown = STRING.matcher(body.substring(0, Math.min(1000, body.length()))).replaceAll(found -> {
                String colon = found.group(2) == null ? "" : found.group(2);
                boolean isShown = (colon.isEmpty() ? PLAIN : NAME).matcher(found.group(1)).matches();
                return Matcher.quoteReplacement("\\"" + (isShown ? found.group(1) : "...") + "\\"" + colon);
            });
            return status + " with " + hidden(shown);
        }
    }

    static String hidden(String text) {
        SECRETS.sort(Comparator.comparing(String::length).reversed());
        for (String secret : SECRETS) text = text.replace(secret, "...");
        return text;
    }

    // It, where it is a short word, an error code, a media type or a date: a log is no place for what a service echoes.
    static String plain(String text) {
        return PLAIN.matcher(text).matches() ? hidden(text) : "...";
    }

    // One request on a connection of its own: no library changes what is sent.
    static Answer send(String method, String url, List<String> headers, String body) throws Exception {
        URI base = URI.create(url.replaceAll("^(\\\\w+://[^/?#]+).*", "$1"));
        boolean isTls = base.getScheme().equals("https");
        int port = base.getPort() > 0 ? base.getPort() : isTls ? 443 : 80;
        String target = url.substring(base.toString().length());
        byte[] data = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(method + " " + (target.isEmpty() ? "/" : target) + " HTTP/1.1\\r\\n");
        head.append("Host: " + base.getAuthority() + "\\r\\nConnection: close\\r\\n");
        for (int at = 0; at < headers.size(); at += 2)
            head.append(headers.get(at) + ": " + headers.get(at + 1) + "\\r\\n");
        if (body != null) head.append("Content-Length: " + data.length + "\\r\\n");
        String host = base.getHost().replaceAll("^\\\\[|\\\\]$", "");
        try (Socket socket = isTls ? SSLSocketFactory.getDefault().createSocket(host, port) : new Socket(host, port)) {
            socket.setSoTimeout(30_000);
            if (socket instanceof javax.net.ssl.SSLSocket tls) {
                var parameters = tls.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                tls.setSSLParameters(parameters);
            }
            OutputStream output = socket.getOutputStream();
            output.write((head + "\\r\\n").getBytes(StandardCharsets.UTF_8));
            output.write(data);
            output.flush();
            return read(socket.getInputStream());
        } catch (RuntimeException unread) {
            // Its message shows what cannot be read.
            throw new IOException("the answer could not be read");
        }
    }

    static Answer read(InputStream input) throws Exception {
        String[] first = line(input).split(" ", 3);
        List<String[]> headers = new ArrayList<>();
        for (String line = line(input); !line.isEmpty(); line = line(input)) {
            String[] pair = line.split(":", 2);
            headers.add(new String[] {pair[0], pair[1].strip()});
        }
        Answer head = new Answer(Integer.parseInt(first[1]), headers, "");
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String length = head.header("Content-Length");
        if ("chunked".equalsIgnoreCase(head.header("Transfer-Encoding")))
            for (int size = chunk(input); size > 0; size = chunk(input)) {
                body.write(input.readNBytes(size));
                line(input);
            }
        else body.write(length == null ? input.readAllBytes() : input.readNBytes(Integer.parseInt(length)));
        return new Answer(head.status(), headers, body.toString(StandardCharsets.UTF_8));
    }

    static int chunk(InputStream input) throws Exception {
        return Integer.parseInt(line(input).split(";")[0].strip(), 16);
    }

    static String line(InputStream input) throws Exception {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next >= 0 && next != '\\n'; next = input.read()) line.write(next);
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    // The JDK reads no JSON.
    static class Json {
        final String text;
        int at = 0;
        boolean isRepeated = false;

        Json(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value();
            space();
            assertEquals(text.length(), at, "text after the JSON value");
            return value;
        }

        Object value() {
            space();
            if (take("{")) {
                Map<String, Object> members = new LinkedHashMap<>();
                space();
                if (take("}")) return members;
                do {
                    space();
                    String name = string();
                    space();
                    must(":");
                    isRepeated |= members.containsKey(name);
                    members.put(name, value());
                    space();
                } while (take(","));
                must("}");
                return members;
            }
            if (take("[")) {
                List<Object> items = new ArrayList<>();
                space();
                if (take("]")) return items;
                do {
                    items.add(value());
                    space();
                } while (take(","));
                must("]");
                return items;
            }
            if (text.startsWith("\\"", at)) return string();
            for (String word : List.of("true", "false", "null"))
                if (take(word)) return word.equals("null") ? null : (Object) Boolean.valueOf(word);
            var number = Pattern.compile("-?(0|[1-9]\\\\d*)(\\\\.\\\\d+)?([eE][-+]?\\\\d+)?").matcher(text);
            assertTrue(number.find(at) && number.start() == at, "no JSON at " + at);
            at = number.end();
            return new java.math.BigDecimal(number.group()).stripTrailingZeros();
        }

        String string() {
            must("\\"");
            StringBuilder found = new StringBuilder();
            while (!take("\\"")) {
                assertTrue(at < text.length() && text.charAt(at) >= ' ', "no JSON at " + at);
                char next = text.charAt(at++);
                if (next != '\\\\') {
                    found.append(next);
                    continue;
                }
                char escape = text.charAt(at++);
                int known = "nrtbf".indexOf(escape);
                if (escape == 'u') {
                    found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else found.append(known < 0 ? escape : "\\n\\r\\t\\b\\f".charAt(known));
            }
            return found.toString();
        }

        void space() {
            while (at < text.length() && " \\t\\r\\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        boolean take(String wanted) {
            boolean isNext = text.startsWith(wanted, at);
            if (isNext) at += wanted.length();
            return isNext;
        }

        void must(String wanted) {
            assertTrue(take(wanted), "no JSON at " + at);
        }
    }

    static boolean hasToken(Answer answer) {
        String location = answer.header("Location");
        if (location != null && location.matches(".*access_token=[^&#\\\\s].*")) return true;
        try {
            Object token = answer.member("access_token");
            return token != null && !token.equals("") && !token.equals(false);
        } catch (AssertionError | RuntimeException none) {
            return false;
        }
    }

    static String mediaType(String value) {
        if (value == null) return "";
        String[] parts = value.toLowerCase(Locale.ROOT).replace("\\"", "").split(";");
        Stream<String> parameters = Arrays.stream(parts).skip(1).map(String::strip).filter(part -> !part.isEmpty()).sorted();
        return Stream.concat(Stream.of(parts[0].strip()), parameters).collect(Collectors.joining(";"));
    }

    static Instant instant(Object text) {
        try {
            return ZonedDateTime.parse(String.valueOf(text), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        } catch (RuntimeException none) {
            throw new AssertionError("no date: " + plain(String.valueOf(text)));
        }
    }`

// `assertEquals` prints both of its values: only whether they are right is asserted.
const helper = (signature: string, isRight: string, expected: string, ...before: readonly string[]): string =>
  [
    `    static void ${signature} {`,
    ...before.map((line) => `        ${line}`),
    `        assertTrue(${isRight}, "expected " + ${expected} + ", found " + answer);`,
    '    }',
  ].join('\n')

const HELPERS: Readonly<Record<string, string>> = {
  'yields token': helper('yieldsToken(Answer answer)', 'hasToken(answer)', '"a token"'),
  'yields no token': helper('yieldsNoToken(Answer answer)', '!hasToken(answer)', '"no token"'),
  'status is': helper('statusIs(Answer answer, int status)', 'answer.status() == status', 'status'),
  'status is success': helper('statusIsSuccess(Answer answer)', 'answer.status() / 100 == 2', '"2xx"'),
  'media type is': helper(
    'mediaTypeIs(Answer answer, String expected)',
    'mediaType(found).equals(mediaType(expected))',
    'expected + " and not " + plain(String.valueOf(found))',
    'String found = answer.header("Content-Type");',
  ),
  'is json object': helper(
    'isJsonObject(Answer answer)',
    '!json.isRepeated',
    '"each member once"',
    'answer.members();',
    'Json json = new Json(answer.body());',
    'json.whole();',
  ),
  'json equals': helper(
    'jsonEquals(Answer answer, String expected)',
    'Objects.equals(new Json(expected).whole(), new Json(answer.body()).whole())',
    'expected',
  ),
  'json includes': helper(
    'jsonIncludes(Answer answer, String expected)',
    'members.entrySet().stream().allMatch(one -> Objects.equals(one.getValue(), answer.member((String) one.getKey())))',
    'expected',
    'Map<?, ?> members = (Map<?, ?>) new Json(expected).whole();',
  ),
  'has member': helper(
    'hasMember(Answer answer, String name)',
    'answer.members().containsKey(name)',
    '"a member " + name',
  ),
  'has no member': helper(
    'hasNoMember(Answer answer, String name)',
    '!answer.members().containsKey(name)',
    '"no member " + name',
  ),
  'member is text': helper(
    'memberIsText(Answer answer, String name)',
    'answer.member(name) instanceof String',
    '"a text in " + name',
  ),
  'member is not empty': helper(
    'memberIsNotEmpty(Answer answer, String name)',
    'value != null && !value.equals("")',
    '"a value in " + name',
    'Object value = answer.member(name);',
  ),
  'member equals': helper(
    'memberEquals(Answer answer, String name, String expected)',
    'expected.equals(answer.member(name))',
    'name + " to be " + expected',
  ),
  'member equals ignoring case': helper(
    'memberEqualsIgnoringCase(Answer answer, String name, String expected)',
    'expected.equalsIgnoreCase(String.valueOf(answer.member(name)))',
    'name + " to be " + expected',
  ),
  'member is date': helper(
    'memberIsDate(Answer answer, String name)',
    'again.equals(answer.member(name))',
    'name + " to be " + again',
    'String again = DATE.format(instant(answer.member(name)));',
  ),
  'member is seconds': helper(
    'memberIsSeconds(Answer answer, String name, int lifetime)',
    'isRight',
    'lifetime',
    'String before = "(?s).*\\"" + Pattern.quote(name) + "\\"\\\\s*:\\\\s*";',
    'Object value = answer.member(name);',
    'boolean isRight = Stream.of(lifetime, lifetime - 1).anyMatch(seconds ->',
    '    new Json(String.valueOf(seconds)).whole().equals(value) && answer.body().matches(before + seconds + "\\\\s*[,}].*"));',
  ),
  'member follows': helper(
    'memberFollows(Answer answer, String name, String earlier)',
    'names.indexOf(name) > names.indexOf(earlier)',
    'name + " after " + earlier',
    'List<?> names = new ArrayList<>(answer.members().keySet());',
  ),
  'seconds between': helper(
    'secondsBetween(Answer answer, String first, String last, double expected, double tolerance)',
    'Math.abs(found - expected) <= tolerance',
    'expected + " seconds and not " + found',
    'long found = instant(answer.member(last)).getEpochSecond() - instant(answer.member(first)).getEpochSecond();',
  ),
  'is near response time': helper(
    'isNearResponseTime(Answer answer, String name, double skew)',
    'Math.abs(instant(answer.member(name)).getEpochSecond() - now.getEpochSecond()) <= skew + 1',
    'name + " about " + now',
    'String date = answer.header("Date");',
    'Instant now = date == null ? Instant.now() : instant(date);',
  ),
  'is same answer as': helper(
    'isSameAnswerAs(Answer answer, Answer other)',
    'isSame && (isEmpty || Objects.equals(new Json(other.body()).whole(), new Json(answer.body()).whole()))',
    'other',
    'boolean isSame = other.status() == answer.status()',
    '    && mediaType(other.header("Content-Type")).equals(mediaType(answer.header("Content-Type")));',
    'boolean isEmpty = other.body().isEmpty() && answer.body().isEmpty();',
  ),
  'has no body': helper('hasNoBody(Answer answer)', 'answer.body().isEmpty()', '"no body"'),
  'lacks header': helper(
    'lacksHeader(Answer answer, String name)',
    'answer.header(name) == null',
    '"no header " + name',
  ),
  'header equals': helper(
    'headerEquals(Answer answer, String name, String expected)',
    'expected.equals(found)',
    'name + ": " + expected + " and not " + plain(String.valueOf(found))',
    'String found = answer.header(name);',
  ),
  'header lacks': helper(
    'headerLacks(Answer answer, String name, String text)',
    '!String.valueOf(answer.header(name)).contains(text)',
    'name + " without " + text',
  ),
}
