import { secretVariables } from '../../conformance/evidence/reproduce.js'
import { passwordLabel } from '../../conformance/target/account-binding.js'
import { literalsBeside } from '../../conformance/target/declared.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { variablesIn } from '../../conformance/target/environment.js'
import { mergeDeployments } from '../../conformance/target/merge-deployments.js'
import { readTargetText, TARGET_LIMIT } from '../../conformance/target/target-file.js'
import type { TargetSettings } from '../../conformance/target/target-input.js'
import { isShownParameter } from '../../conformance/target/token-request.js'
import { readPositioned } from '../../spec/load/positioned.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { isMap } from '../../spec/model/json.js'
import type { ScriptTarget } from './render-script.js'
import { readScriptText, type ScriptText } from './script-text.js'

/** A target, and what a script may say of each of its deployments. */
export interface ScriptSource {
  readonly target: Target
  readonly describe: (deployment: Deployment) => ScriptTarget
}

/**
 * Reads a target file for a script: `${NAME}` stays a variable, whether or not it is set here.
 * @throws AssayError as `loadTargetFile` does
 */
export function readScriptSource(file: string, env: NodeJS.ProcessEnv): ScriptSource {
  // Read once: a pipe is empty then. The document has the same settings with their variables unread.
  const text = readTextFile(file, 'a target file', TARGET_LIMIT)
  const document = readPositioned(file, text)
  const target = loadLeniently(file, text, variablesIn(document.value), env)
  const sources = isMap(document.value) ? mergeDeployments(document.value, { file }, document) : []
  return {
    target,
    describe: (deployment) => {
      const settings = sources.find(({ name }) => name === deployment.name)?.settings ?? {}
      return describeDeployment(deployment, {
        baseUrl: settings.baseUrl ?? '',
        accounts: settings.accounts ?? [],
        headers: Object.entries(settings.headers ?? {}),
        ...(settings.tokenRequest === undefined ? {} : { tokenRequest: settings.tokenRequest }),
      })
    },
  }
}

/** A password that is not set is not needed yet. */
function loadLeniently(file: string, text: string, names: readonly string[], env: NodeJS.ProcessEnv): Target {
  const lenient = Object.fromEntries(names.map((name) => [name, env[name] || `unset-${name}`]))
  try {
    return readTargetText(file, text, lenient)
  } catch (error) {
    // A base URL, or a path, may not do without its variable: that is what is wrong then.
    if (error instanceof AssayError && names.some((name) => !env[name])) readTargetText(file, text, env)
    throw error
  }
}

export interface DeclaredTexts {
  readonly baseUrl: string
  readonly accounts: readonly {
    readonly userName: string
    readonly password: string
    readonly userId?: string
  }[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly tokenRequest?: NonNullable<TargetSettings['tokenRequest']>
}

/** What a script may say of a deployment. Secrets that are declared as they are become variables too. */
export function describeDeployment(deployment: Deployment, texts: DeclaredTexts): ScriptTarget {
  const {
    name,
    tokenLifetime,
    clockSkew,
    timeoutMs,
    maxRequestsPerSecond,
    tls,
    tokenRequest: added,
  } = deployment
  const labels = secretVariables(deployment)
  const secret = (text: string, label: string, isHeader = false): ScriptText => {
    const parts = readScriptText(text)
    const labelled = parts.map((part) => (typeof part === 'string' ? part : '‹›')).join('')
    const isFromEnvironment = parts.some((part) => typeof part !== 'string')
    if (isFromEnvironment && literalsBeside(labelled, isHeader).length === 0) return parts
    const variable = labels.get(label)
    return variable === undefined ? parts : [{ variable }]
  }
  return {
    deployment: name,
    baseUrl: readScriptText(texts.baseUrl.replace(/\/$/, '')),
    accounts: texts.accounts.map(({ userName, password, userId }, index) => ({
      userName: readScriptText(userName),
      password: secret(password, `‹${passwordLabel(deployment.accounts[index] ?? { userName, password })}›`),
      ...(userId === undefined ? {} : { userId: readScriptText(userId) }),
    })),
    // Any header may be a key: none is written unless it says where it comes from.
    headers: texts.headers.map(([header, value]) => [header, secret(value, `‹value of ${header}›`, true)]),
    ...(added === undefined
      ? {}
      : {
          tokenRequest: {
            ...(added.path === undefined
              ? {}
              : { path: readScriptText(texts.tokenRequest?.path ?? added.path) }),
            // Basic credentials are a header by now, which no text is declared for.
            headers: Object.keys(added.headers).map((header) => [
              header,
              secret(texts.tokenRequest?.headers?.[header] ?? '', `‹value of ${header}›`, true),
            ]),
            form: Object.entries(texts.tokenRequest?.form ?? {}).map(([parameter, value]) => [
              parameter,
              isShownParameter(parameter) ? readScriptText(value) : secret(value, `‹value of ${parameter}›`),
            ]),
          },
        }),
    tokenLifetime,
    clockSkew,
    timeoutMs,
    ...(maxRequestsPerSecond === undefined ? {} : { maxRequestsPerSecond }),
    ...(tls === undefined
      ? {}
      : {
          tls: {
            hasAuthority: tls.ca !== undefined,
            hasCertificate: tls.cert !== undefined,
            rejectUnauthorized: tls.rejectUnauthorized,
          },
        }),
  }
}
