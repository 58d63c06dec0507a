import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export type Status = 'passed' | 'failed' | 'skipped'

export interface Adapter {
  /** Its folder below `adapters/`. */
  readonly name: string
  /** Whether what it needs is installed. */
  readonly isThere: () => boolean
  /** Commands, the last of which runs the example. */
  readonly commands: readonly (readonly string[])[]
  /** What it then writes, beside its standard output. */
  readonly file?: string
  /** The tests by the id of their case. */
  readonly read: (text: string) => ReadonlyMap<string, Status>
}

const JARS = [
  ...['jackson-databind', 'jackson-core', 'jackson-annotations', 'opentest4j', 'apiguardian-api', 'picocli'],
  ...['junit-jupiter-api', 'junit-jupiter-engine', 'univocity-parsers'],
  ...['commons', 'engine', 'launcher', 'console', 'reporting'].map((part) => `junit-platform-${part}`),
].map((name) => `/usr/share/java/${name}.jar`)
const CLASS_PATH = ['out', ...JARS].join(':')
const NUNIT = '/usr/lib/cli/nunit.framework-2.6.3/nunit.framework.dll'
const NUNIT_REFERENCES = [NUNIT, 'System.Runtime.Serialization', 'System.Xml', 'System.Xml.Linq'].map(
  (name) => `-r:${name}`,
)
const JUNIT = 'org.junit.platform.console.ConsoleLauncher'

const runs = (command: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Each test of JUnit's XML, as its attributes and its content. */
function xmlTests(text: string): readonly (readonly [name: string, status: Status, content: string])[] {
  return Array.from(
    text.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g),
    ([, name = '', content = '']) => {
      const isRed = /<(?:failure|error)\b/.test(content)
      return [name, isRed ? 'failed' : content.includes('<skipped') ? 'skipped' : 'passed', content]
    },
  )
}

/** The id in a name, by the pattern of a framework; tests without one are the framework's own. */
function byId(
  tests: readonly (readonly [name: string, status: Status, ...rest: readonly string[]])[],
  pattern: RegExp,
): ReadonlyMap<string, Status> {
  return new Map(
    tests.flatMap(([name, status]) => {
      const id = pattern.exec(name)?.[1]
      return id === undefined ? [] : [[id, status] as const]
    }),
  )
}

/** The frameworks' words; a word that is not here is no pass. */
const WORDS: Readonly<Record<string, Status>> = {
  pass: 'passed',
  passed: 'passed',
  Success: 'passed',
  skip: 'skipped',
  pending: 'skipped',
  Ignored: 'skipped',
}
const statusOf = (word: string): Status => WORDS[word] ?? 'failed'

export const ADAPTERS: readonly Adapter[] = [
  {
    name: 'pytest',
    isThere: () => runs('/usr/bin/python3', '-m', 'pytest', '--version'),
    commands: [['/usr/bin/python3', '-m', 'pytest', '-p', 'no:cacheprovider', '--junitxml=tests.xml']],
    file: 'tests.xml',
    read: (text) =>
      byId(
        xmlTests(text.replaceAll(/<testcase classname="[^"]*" /g, '<testcase ')),
        /^test_contract\[(.*)\]$/,
      ),
  },
  {
    name: 'go',
    isThere: () => runs('go', 'version'),
    commands: [['go', 'test', '-count=1', '-json', './...']],
    read: (text) => {
      const events = text.split('\n').flatMap((line): readonly { Action: string; Test?: string }[] => {
        return line.startsWith('{') ? [JSON.parse(line)] : []
      })
      const ends = events.filter(({ Action }) => ['pass', 'fail', 'skip'].includes(Action))
      return byId(
        ends.map(({ Test = '', Action }) => [Test, statusOf(Action)] as const),
        /^TestContract\/(.*)$/,
      )
    },
  },
  {
    name: 'junit',
    isThere: () => runs('javac', '-version') && JARS.every((jar) => existsSync(jar)),
    commands: [
      ['javac', '-d', 'out', '-cp', CLASS_PATH, 'TokenAssay.java', 'ExampleTest.java'],
      ['java', '-cp', CLASS_PATH, JUNIT, '--scan-classpath', 'out', '--reports-dir', '.', '--details=none'],
    ],
    file: 'TEST-junit-jupiter.xml',
    read: (text) =>
      byId(
        xmlTests(text).map(
          ([, status, content]) => [/display-name: (.*)/.exec(content)?.[1] ?? '', status] as const,
        ),
        /^(.+)$/,
      ),
  },
  {
    name: 'nunit',
    isThere: () => runs('mcs', '--version') && existsSync(NUNIT),
    commands: [
      ['mcs', '-target:library', '-out:example.dll', ...NUNIT_REFERENCES, 'TokenAssay.cs', 'ExampleTest.cs'],
      ['nunit-console', '-nologo', '-noshadow', 'example.dll'],
    ],
    file: 'TestResult.xml',
    read: (text) =>
      byId(
        Array.from(
          text.matchAll(/<test-case name="([^"]*)" executed="\w+" result="(\w+)"/g),
          ([, name = '', word = '']) => [name, statusOf(word)] as const,
        ),
        /^ExampleTest\.(.*)$/,
      ),
  },
  {
    name: 'phpunit',
    isThere: () => runs('phpunit', '--version'),
    commands: [['phpunit', '--do-not-cache-result', '--log-junit', 'tests.xml', 'ExampleTest.php']],
    file: 'tests.xml',
    read: (text) => byId(xmlTests(text), /^testContract with data set &quot;(.*)&quot;$/),
  },
  {
    name: 'rspec',
    isThere: () => runs('rspec', '--version'),
    commands: [['rspec', '--format', 'json', 'example_spec.rb']],
    read: (text) => {
      const { examples }: { examples: readonly { description: string; status: string }[] } = JSON.parse(
        text.slice(text.indexOf('{"version"')),
      )
      return byId(
        examples.map(({ description, status }) => [description, statusOf(status)] as const),
        /^(.*)$/,
      )
    },
  },
]
