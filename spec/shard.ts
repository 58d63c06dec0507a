/** One of several parts of a run, which together are the whole. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

const MOST_SHARDS = 1000

/** Reads `I/N`, as `--shard` takes it; undefined where it is none. */
export function parseShard(text: string): Shard | undefined {
  const [, first = '', second = ''] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []
  const [index, count] = [Number(first), Number(second)]
  return first !== '' && index <= count && count <= MOST_SHARDS ? { index, count } : undefined
}

export function showShard({ index, count }: Shard): string {
  return `${index}/${count}`
}
