import t from 'tap'
import { AssayError } from '../../spec/model/assay-error.js'
import { describeFlags, type Flags, integerOf, readArguments } from './arguments.js'

const FLAGS = {
  name: { value: 'NAME', help: 'a name' },
  only: { value: 'GLOB', many: true, help: 'what matches' },
  'password-stdin': { help: 'read it', otherNames: ['ask'] },
} as const satisfies Flags

const read = (...args: string[]) => readArguments(args, FLAGS)

t.test('flags and what is none of them', async (t) => {
  const args = read('first', '--only', 'a', '--password-stdin', '--only=-b', '--name', '-5', '--', '--last')
  t.strictSame(args.positionals, ['first', '--last'])
  t.strictSame(args.all('only'), ['a', '-b'])
  t.equal(args.one('name'), '-5', 'a value may begin with one hyphen')
  t.equal(args.on('password-stdin'), true)
  t.strictSame([read().one('name'), read().all('only'), read().on('password-stdin')], [undefined, [], false])
})

t.test('what will not do', async (t) => {
  const refusals: readonly (readonly [args: readonly string[], message: string])[] = [
    [['--nmae', 'x'], 'unknown flag `--nmae`: did you mean `--name`?'],
    [['--password=secret'], 'unknown flag `--password`: did you mean `--password-stdin`?'],
    [['--ask'], 'unknown flag `--ask`: did you mean `--password-stdin`?'],
    [['-x'], 'unknown flag `-x`: `--help` lists all flags'],
    [['-----BEGIN PRIVATE KEY-----\nMIIE'], 'unknown flag `-----BEGIN…`: `--help` lists all flags'],
    [['--toString'], 'unknown flag `--toString`: `--help` lists all flags'],
    [['--name'], '--name needs a value: --name NAME'],
    [['--name', '--only', 'x'], '--name needs a value: --name NAME'],
    [['--name', ''], '--name needs a value: --name NAME, found an empty one'],
    [['--only='], '--only needs a value: --only GLOB, found an empty one'],
    [['--password-stdin=1'], '--password-stdin takes no value'],
    [['--name', 'a', '--name', 'b'], '--name may be given only once'],
  ]
  for (const [args, message] of refusals) {
    t.throws(() => read(...args), new AssayError('usage', message), args.join(' '))
  }
})

t.test('whole numbers within bounds', async (t) => {
  t.equal(integerOf('runs', undefined, 1, 9), undefined)
  t.equal(integerOf('seed', '-9', -9, 9), -9)
  for (const text of ['0', '10', '1e0', '0x5', '5.0', ' 5', '5s']) {
    const message = `--runs takes a whole number from 1 to 9, not \`${text}\``
    t.throws(() => integerOf('runs', text, 1, 9), new AssayError('usage', message))
  }
})

t.test('the help lists every flag', async (t) => {
  t.equal(
    describeFlags(FLAGS),
    [
      '  --name NAME       a name',
      '  --only GLOB       what matches',
      '  --password-stdin  read it',
      '  --help            show this help',
    ].join('\n'),
  )
})
