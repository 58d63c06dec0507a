/** The functions of `@node-rs/argon2` that the reference server uses, over Node's own argon2 (24.7 and later). */
import * as crypto from 'node:crypto'
import { promisify } from 'node:util'

interface Options {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

interface Parameters {
  readonly message: string
  readonly nonce: Buffer
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly tagLength: number
}

type Argon2 = (
  algorithm: 'argon2id',
  parameters: Parameters,
  callback: (error: Error | null, tag: Buffer) => void,
) => void

export async function hash(password: string, options: Options): Promise<string> {
  const salt = crypto.randomBytes(16)
  const { memoryCost, timeCost, parallelism } = options
  const tag = await tagOf(password, salt, options, 32)
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${spell(salt)}$${spell(tag)}`
}

export async function verify(hashed: string, password: string): Promise<boolean> {
  const [, , , parameters = '', salt = '', expected = ''] = hashed.split('$')
  const [memoryCost = 0, timeCost = 0, parallelism = 0] = parameters.match(/\d+/g)?.map(Number) ?? []
  const tag = Buffer.from(expected, 'base64')
  const options = { memoryCost, timeCost, parallelism }
  return crypto.timingSafeEqual(tag, await tagOf(password, Buffer.from(salt, 'base64'), options, tag.length))
}

function tagOf(
  message: string,
  nonce: Buffer,
  { memoryCost: memory, timeCost: passes, parallelism }: Options,
  tagLength: number,
): Promise<Buffer> {
  // Not among the types of Node 20, nor in it.
  const { argon2 } = crypto as { readonly argon2?: Argon2 }
  if (argon2 === undefined)
    throw new Error('argon2id needs Node 24.7 or later here; `--hashing fast` needs none')
  return promisify(argon2)('argon2id', { message, nonce, memory, passes, parallelism, tagLength })
}

/** Base64 without padding, as such hashes spell it. */
function spell(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
