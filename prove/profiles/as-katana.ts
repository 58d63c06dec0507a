import type { Behaviour } from '../../reference/behaviour.js'

export const NO_CACHE = [
  ['Cache-Control', 'no-cache'],
  ['Pragma', 'no-cache'],
  ['Expires', '-1'],
] as const

export const SESSION = '.AspNet.Cookies=c2Vzc2lvbg; path=/; HttpOnly'

/** With each token response, a session cookie of that name. */
export function settingCookie(cookie: string | undefined): Behaviour['deliver'] {
  return (answer) => {
    const grants = cookie !== undefined && answer.body.toString().includes('"access_token"')
    return {
      kind: 'answer',
      answer: grants ? { ...answer, headers: [...answer.headers, ['Set-Cookie', cookie]] } : answer,
    }
  }
}

/** Keeps the specification, and is as Katana in all else that a client may see. */
export const katana: Partial<Behaviour> = {
  commonHeaders: () => NO_CACHE,
  isTokenPath: (path, basePath) => path.toLowerCase() === `${basePath}/Token`.toLowerCase(),
  formValues: (form, name) => {
    const values = form.pairs.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value)
    return values.length === 0 ? [] : [values.join(',')]
  },
  userNameKey: (userName) => userName.toLowerCase(),
  registeredStatus: () => 200,
  registeredBody: () => '',
  renderRegistration: (body) => (body === '' ? '' : JSON.stringify(body)),
  rejectedBody: modelState('Message', 'ModelState'),
  deliver: settingCookie(SESSION),
}

/** The password's messages are one text; others come alone. */
export function modelState(
  message: string,
  state: string,
  text = 'The request is invalid.',
): Behaviour['rejectedBody'] {
  return (errors) => {
    const passwords = errors.filter((error) => error.startsWith('Passwords must'))
    const others = errors.filter((error) => !passwords.includes(error))
    const shown = passwords.length === 0 ? others : [passwords.join(' ')]
    return { [message]: text, [state]: { '': shown } }
  }
}
