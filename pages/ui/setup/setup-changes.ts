import { AssayError } from '../../../spec/model/assay-error.js'
import type { FormValues } from '../body.js'
import type { ChangeOutcome, Changes } from '../changes.js'
import type { Ports } from '../ports.js'
import { externalLoginChanges, type RequestFields, registrationChanges } from './own-requests.js'
import type { Setup } from './setup.js'
import { literal } from './target-text.js'

/** What the view that sets up the target may change. @param show is called when it did */
export function setupChanges(setup: Setup, saveTarget: Ports['saveTarget'], show: () => void): Changes {
  const changing =
    (change: (values: FormValues) => void | Promise<void>) =>
    async (values: FormValues): Promise<ChangeOutcome> => {
      await change(values)
      show()
      return {}
    }
  return {
    '/setup/check': changing(({ baseUrl = '', userName = '', password = '' }) =>
      setup.check(baseUrl, userName, password),
    ),
    '/setup/text': changing(({ text = '' }) => setup.setText(text)),
    '/setup/name': changing(({ text = '' }) => setup.change([[['name'], literal(text.trim()) || undefined]])),
    '/setup/registration': changing((values) =>
      setup.change(registrationChanges(requestFields(values), values.cleanUp ?? '')),
    ),
    '/setup/registration/remove': changing(() => setup.change([[['registration'], undefined]])),
    '/setup/externalLogin': changing((values) =>
      setup.change(externalLoginChanges(requestFields(values), values.account ?? '')),
    ),
    '/setup/externalLogin/remove': changing(() => setup.change([[['externalLogin'], undefined]])),
    '/setup/save': ({ file = '', replace }) => {
      if (setup.text() === '') throw new AssayError('usage', 'There is nothing to save yet.')
      const name = saveTarget(file, setup.text(), replace === 'yes')
      setup.saved(name)
      return { good: `Saved as ${name}.` }
    },
  }
}

function requestFields({
  method = 'POST',
  path = '',
  kind = 'json',
  body = '{}',
}: FormValues): RequestFields {
  return { method, path, kind, body }
}
