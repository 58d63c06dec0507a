import { AssayError } from '../../spec/model/assay-error.js'
import { parseShard, type Shard } from '../../spec/model/selection.js'
import type { Flag } from './arguments.js'

/** What `merge` joins; each command says by what it divides. */
export const SHARD_FLAG = {
  value: 'I/N',
  option: 'shard',
  parse: readShard,
} as const satisfies Omit<Flag, 'help'>

/** @throws AssayError `usage` where shards would not be of one run */
export function refuseShardWithoutSeed(args: { readonly on: (name: 'shard' | 'seed') => boolean }): void {
  if (args.on('shard') && !args.on('seed'))
    throw new AssayError(
      'usage',
      '--shard needs --seed N, the same for every shard: `merge` joins shards of one seed',
    )
}

function readShard(text: string): Shard {
  const shard = parseShard(text)
  if (shard !== undefined) return shard
  throw new AssayError('usage', `--shard takes I/N, part I of N, such as 1/4, not \`${text}\``)
}
