import { readFileSync } from 'node:fs'
import type { Deployment, Target } from '../../conformance/deployment.js'
import { secretVariables } from '../../conformance/evidence/shell-text.js'
import { deploymentSources } from '../../conformance/target/deployment-sources.js'
import { isMap } from '../../conformance/target/merge-patch.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { AssayError } from '../../spec/assay-error.js'
import { readPositioned } from '../../spec/positioned.js'
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
  const target = loadLeniently(file, env)
  // The file was just read and held to its schema; here are the same settings with their variables unread.
  const document = readPositioned(file, readFileSync(file, 'utf8'))
  const sources = isMap(document.value) ? deploymentSources(document.value, { file }, document) : []
  return {
    target,
    describe: (deployment) => {
      const settings = sources.find(({ name }) => name === deployment.name)?.settings ?? {}
      return describeDeployment(deployment, {
        baseUrl: settings.baseUrl ?? '',
        accounts: settings.accounts ?? [],
        headers: Object.entries(settings.headers ?? {}),
      })
    },
  }
}

/** A password that is not set is not needed yet. */
function loadLeniently(file: string, env: NodeJS.ProcessEnv): Target {
  const unset = new Set<string>()
  const lenient = new Proxy(env, {
    get: (_, name) => {
      const value = env[String(name)]
      if (value !== undefined && value !== '') return value
      unset.add(String(name))
      return `unset-${String(name)}`
    },
  })
  try {
    return loadTargetFile(file, lenient)
  } catch (error) {
    // A base URL, or a path, may not do without its variable: that is what is wrong then.
    if (error instanceof AssayError && unset.size > 0) loadTargetFile(file, env)
    throw error
  }
}

/** The texts of a deployment as they are declared. */
export interface DeclaredTexts {
  readonly baseUrl: string
  readonly accounts: readonly {
    readonly userName: string
    readonly password: string
    readonly userId?: string
  }[]
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** What a script may say of a deployment. Secrets that are declared as they are become variables too. */
export function describeDeployment(deployment: Deployment, texts: DeclaredTexts): ScriptTarget {
  const { name, tokenLifetime, clockSkew, timeoutMs, maxRequestsPerSecond, tls } = deployment
  const labels = secretVariables(deployment.accounts, deployment.headers)
  const secret = (text: string, label: string): ScriptText => {
    const parts = readScriptText(text)
    if (parts.some((part) => typeof part !== 'string')) return parts
    const variable = labels.get(label)
    return variable === undefined ? parts : [{ variable }]
  }
  return {
    deployment: name,
    baseUrl: readScriptText(texts.baseUrl.replace(/\/$/, '')),
    accounts: texts.accounts.map(({ userName, password, userId }, index) => ({
      userName: readScriptText(userName),
      password: secret(password, `‹password of ${deployment.accounts[index]?.userName}›`),
      ...(userId === undefined ? {} : { userId: readScriptText(userId) }),
    })),
    // Any header may be a key: none is written unless it says where it comes from.
    headers: texts.headers.map(([header, value]) => [header, secret(value, `‹value of ${header}›`)]),
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
