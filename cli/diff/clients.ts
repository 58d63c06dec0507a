import { dirname } from 'node:path'
import type { ComparedClient } from '../../conformance/assess/differential/clients/client-trials.js'
import { commandClient } from '../../conformance/drivers/host/run-command.js'
import type { ClientCommand } from '../../conformance/target/deployment.js'
import { clientCommands } from '../../conformance/target/resolve-deployment.js'
import { clients as validate } from '../../spec/generated/validators/clients.js'
import { formatFindings } from '../../spec/load/position.js'
import { readPositioned } from '../../spec/load/positioned.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { violations } from '../../spec/load/validator.js'
import { AssayError } from '../../spec/model/assay-error.js'

/** Milliseconds for one sign-in: a client that takes as long does not end by itself. */
const TIME_OUT_MS = 15_000

/** The flags, and each command after `--client --`, to its end or to the next one. @throws AssayError `usage` */
export function splitCommands(argv: readonly string[]) {
  const starts = argv.flatMap((word, at) => (word === '--client' && argv[at + 1] === '--' ? at : []))
  const commands = starts.map((at, index) => argv.slice(at + 2, starts[index + 1]))
  if (commands.some(({ length }) => length === 0))
    throw new AssayError('usage', '--client takes a command: --client -- node sign-in.js')
  return { flags: argv.slice(0, starts[0]), commands }
}

/** All that are given: those of the target file, of `--clients FILE`, and of `--client -- COMMAND`. @throws AssayError */
export function comparedClients(
  declared: readonly ClientCommand[] = [],
  file: string | undefined,
  commands: readonly (readonly string[])[],
): readonly ComparedClient[] {
  const all = [
    ...declared,
    ...(file === undefined ? [] : readClients(file)),
    ...clientCommands(
      commands.map((command) => ({ command })),
      '.',
    ),
  ]
  const names = all.map(({ name }) => name)
  return all.map(({ name, version, command: [program = '', ...args], cwd }, index) => {
    const before = names.slice(0, index).filter((one) => one === name).length
    return {
      name: before === 0 ? name : `${name} (${before + 1})`,
      ...(version === undefined ? {} : { version }),
      run: commandClient(program, args, TIME_OUT_MS, cwd),
    }
  })
}

function readClients(file: string): readonly ClientCommand[] {
  const text = readTextFile(file, 'a list of clients', { kib: 1024, code: 'bad-target' })
  const document = readPositioned(file, text, { maxValues: 100_000 })
  const content: unknown = document.value
  if (!validate(content))
    throw new AssayError('bad-target', formatFindings(violations(validate, content, document)))
  return clientCommands(content.clients ?? [], dirname(file))
}
