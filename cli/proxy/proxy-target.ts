import type { DeclaredService } from '../../conformance/judge/traffic/declared.js'
import type { Target } from '../../conformance/target/deployment.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { firstFew } from '../../reports/formats/shared/phrase.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { isMap } from '../../spec/model/json.js'
import { baseUrlOf, type ServiceArguments, settingsOf } from '../shared/service-arguments.js'

interface TargetArguments extends ServiceArguments {
  readonly one: (name: Parameters<ServiceArguments['one']>[0] | 'target' | 'deployment') => string | undefined
}

/** No request is sent for it: a target of `run` needs one. */
const NO_ACCOUNT = { userName: 'no-account', password: 'no-account' }

/** The service behind traffic. @throws AssayError where the base URL, the file or a flag cannot be used */
export async function proxyTarget(args: TargetArguments): Promise<DeclaredService> {
  const text = args.one('target')
  if (text === undefined) throw new AssayError('usage', 'name the service: --target http://127.0.0.1:8080')
  const settings = await settingsOf(args)
  // A name without `://` is a file.
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) {
    const { loadTargetFile } = await import('../../conformance/target/target-file.js')
    return chosen(loadTargetFile(text, process.env, settings), args.one('deployment'))
  }
  const baseUrl = baseUrlOf(text)
  if (args.one('deployment') !== undefined)
    throw new AssayError('usage', '--deployment names one of a target file: give --target FILE')
  if (settings.accounts !== undefined) return chosen(resolveTarget({ ...settings, baseUrl }), undefined)
  const deployment = chosen(resolveTarget({ ...settings, baseUrl, accounts: [NO_ACCOUNT] }), undefined)
  const { accounts: _, ...shown } = isMap(deployment.declared) ? deployment.declared : {}
  const secrets = deployment.secrets.filter(({ value }) => value !== NO_ACCOUNT.password)
  return { ...deployment, accounts: [], declared: shown, secrets }
}

function chosen({ deployments, secrets }: Target, name: string | undefined): DeclaredService {
  const names = deployments.map((deployment) => deployment.name)
  const found = name === undefined ? undefined : deployments.find((deployment) => deployment.name === name)
  if (found !== undefined) return { ...found, secrets }
  const [only, ...others] = deployments
  if (name === undefined && others.length === 0) return { ...only, secrets }
  const what = name === undefined ? 'several deployments' : `no deployment \`${name}\``
  throw new AssayError('usage', `the target file has ${what}: --deployment takes ${firstFew(names, 10)}`)
}
