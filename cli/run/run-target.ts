import type { Ask } from '../../conformance/drivers/send/probe/probe-client.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { resolveTarget, withBaseUrl } from '../../conformance/target/target.js'
import type { TargetSettings } from '../../conformance/target/target-input.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { SERVICE_FLAGS } from '../shared/common-flags.js'
import { print } from '../shared/print.js'
import { baseUrlOf, PASSWORD, serviceWarnings, settingsOf } from '../shared/service-arguments.js'
import { findTargetFile, implicitFiles, noTarget } from '../shared/target-files.js'
import type { RunArguments } from './run-flags.js'

/** What a run tests, and what the user should know about the choice. */
export interface ChosenTarget {
  /** Undefined: the embedded reference server. */
  readonly target: Target | undefined
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * The target of a run: the base URL of the command line, the target file, both, or the embedded server.
 * @throws AssayError where no target is given, or a base URL, file or account cannot be used; nothing has been sent then
 */
export async function chooseTarget(args: RunArguments): Promise<ChosenTarget> {
  // Further arguments are not repeated in the message: one may be a password.
  if (args.positionals.length > 1)
    throw new AssayError('usage', `run takes one base URL, found ${args.positionals.length} arguments`)
  const [text] = args.positionals
  const baseUrl = text === undefined ? undefined : baseUrlOf(text)
  if (args.on('embedded')) return embedded(args)
  if (args.on('exhaustive'))
    throw new AssayError('usage', '--exhaustive tests the embedded server: it needs --embedded')
  const file = args.one('target') ?? (baseUrl === undefined ? findTargetFile() : undefined)
  if (file === undefined) {
    if (baseUrl !== undefined) return urlAlone(baseUrl, await settingsOf(args))
    throw noTarget('give a base URL or --target FILE; --embedded tests the embedded reference server')
  }
  const overrides = await settingsOf(args)
  // Loading the YAML parser takes 25 ms: only runs with a file pay for it.
  const { loadTargetFile } = await import('../../conformance/target/target-file.js')
  const target = loadTargetFile(file, process.env, overrides)
  return chosen(baseUrl === undefined ? target : withBaseUrl(target, baseUrl))
}

function urlAlone(baseUrl: string, settings: TargetSettings): ChosenTarget {
  if (settings.accounts === undefined)
    throw new AssayError(
      'usage',
      `an account is needed to sign in: give --user-name NAME, and its password in ${PASSWORD}`,
    )
  const ignored = implicitFiles().map(
    (name) =>
      `${name} is ignored because a base URL was given; --target ${name} uses the file with this base URL`,
  )
  return chosen(resolveTarget({ ...settings, baseUrl }), ignored)
}

/** The embedded server has its own accounts and settings. */
const OF_A_SERVICE = ['target', ...(Object.keys(SERVICE_FLAGS) as (keyof typeof SERVICE_FLAGS)[])] as const

function embedded(args: RunArguments): ChosenTarget {
  const other =
    args.positionals.length > 0
      ? 'a base URL'
      : OF_A_SERVICE.find((name) => args.on(name))?.replace(/^/, '--')
  if (other !== undefined)
    throw new AssayError(
      'usage',
      `--embedded tests the embedded reference server: it cannot be used with ${other}`,
    )
  const how = args.on('exhaustive') ? ' with every policy' : ''
  const ignored = implicitFiles().map((name) => `${name} is ignored because of --embedded`)
  return {
    target: undefined,
    notes: [...ignored, `testing the embedded reference server${how}`],
    warnings: [],
  }
}

function chosen(target: Target, notes: readonly string[] = []): ChosenTarget {
  return { target, notes, warnings: serviceWarnings(target.deployments) }
}

/**
 * `/Token` is appended to every base URL. One that ends in it may be the endpoint itself, given by mistake: that is said, and
 * asked by the documented request that needs no account.
 * @throws AssayError `bad-base-url` where there is nothing at `…/Token/Token`, and something at `…/Token`
 */
export async function refuseEndpointAsBase(deployments: readonly Deployment[]): Promise<void> {
  for (const { baseUrl, shownBaseUrl, start, tokenRequest } of deployments) {
    if (!/\/token$/i.test(new URL(baseUrl).pathname) || tokenRequest?.path !== undefined) continue
    print(`/Token is appended to the base URL: the endpoint is ${shownBaseUrl}/Token`)
    // What the run starts is not there yet.
    if (start !== undefined) continue
    const { withService } = await import('../../conformance/drivers/send/probe/probe-client.js')
    const [appended, itself] = await withService(baseUrl, async (ask) => [
      await statusAt(ask, '/Token'),
      await statusAt(ask, ''),
    ])
    if (appended === 404 && itself !== undefined && itself !== 404)
      throw new AssayError(
        'bad-base-url',
        `${shownBaseUrl}/Token is not there (404), and ${shownBaseUrl} is: give ${shownBaseUrl.replace(/\/token$/i, '')}`,
      )
  }
}

async function statusAt(ask: Ask, path: string): Promise<number | undefined> {
  const answer = await ask({ method: 'POST', path, contentType: 'application/json' })
  return typeof answer === 'string' ? undefined : answer.status
}
