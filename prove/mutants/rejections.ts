import { LISTED_MESSAGES } from '../../conformance/target/accounts/policy.js'
import { specifiedBehaviour } from '../../reference/behaviour.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { storedIfOnly } from './registration.js'
import type { Override } from './rows.js'

const { allowsUserName, violatedRules } = specifiedBehaviour
const violates = ['8-R1']

const isOfPassword = (errors: readonly string[]): boolean => errors.some((error) => /^Password/.test(error))
const isOfEmail = (errors: readonly string[]): boolean => errors.some((error) => /^Email/.test(error))
const isOfName = (errors: readonly string[]): boolean =>
  errors.some((error) => /^(User name|Name) /.test(error))

/** 8-R1: what a rejected registration leaves behind; 7: what it says where there are several reasons. */
export const rejectionMutants: readonly Mutant[] = [
  ...breaking(violates, asIs, {
    'name-kept-for-weak-password: The user name of a registration that is rejected for its password stays taken.':
      keeping('userName', isOfPassword),
    'email-kept-for-weak-password: The address of a registration that is rejected for its password stays taken.':
      keeping('email', isOfPassword),
    'name-kept-for-missing-digit: The user name stays taken where only a digit was missing.': keeping(
      'userName',
      (errors) => errors.length === 1 && errors.some((error) => error.includes('one digit')),
    ),
    'name-kept-for-taken-email: The user name of a registration that is rejected for its address stays taken.':
      keeping('userName', isOfEmail),
    'email-kept-for-taken-name: The address of a registration that is rejected for its user name stays taken.':
      keeping('email', isOfName),
    'rejected-once: Who was rejected once is registered later, and cannot log in.': () => {
      const rejected = new Set<string>()
      const { behaviour, latest } = watching()
      return {
        ...behaviour,
        storesAccount: (errors) => {
          if (errors.length > 0) rejected.add(latest.userName)
          return errors.length === 0
        },
        signIn: ({ matches, account }) =>
          matches && account !== undefined && !rejected.has(account.userName) ? account : undefined,
      }
    },
    'taken-name-gets-the-password: A registration of a taken user name is rejected, and changes the password.':
      storedIfOnly(/^Name .* taken/),
    'taken-email-gets-the-password: A registration of a taken address is rejected, and changes the password of its account.':
      () => {
        const { behaviour, latest } = watching()
        const passwords = new Map<string, string>()
        return {
          ...behaviour,
          storesAccount: (errors) => {
            if (/^Email .* taken/.test(errors.join())) passwords.set(latest.email, latest.password)
            return errors.length === 0
          },
          signIn: ({ matches, account, password }) => {
            const changed = passwords.get(account?.email ?? '')
            return (changed === undefined ? matches : password === changed) ? account : undefined
          },
        }
      },
  }),
  ...breaking(violates, asIs, {
    'rejected-account-a-second-later: A registration that is rejected for its password is carried out a second later.':
      () => {
        const { behaviour, latest } = watching()
        const queue = new Map<string, { readonly password: string; readonly dueMs: number }>()
        return {
          ...behaviour,
          storesAccount: (errors) => {
            const { userName, password } = latest
            if (isOfPassword(errors)) queue.set(userName, { password, dueMs: Date.now() + 1000 })
            return errors.length === 0
          },
          signIn: ({ matches, account, userName = '', password }) => {
            if (account !== undefined) return matches ? account : undefined
            const queued = queue.get(userName)
            const isCarriedOut = queued?.password === password && Date.now() >= (queued?.dueMs ?? Infinity)
            return isCarriedOut ? { userName, userId: userName } : undefined
          },
        }
      },
  }),
  // On a busy machine it is gone before its other logins, too.
  ...breaking(
    {
      violates,
      collateral: ['1-exchange', '4.1-form-encoding', '4.1-content-type-spelling', '4.1-R3', '5-R1'],
    },
    asIs,
    {
      'account-gone-after-a-second: A new account is gone after a second and a half.': () => {
        const until = new Map<unknown, number>()
        return {
          newAccount: (members) => {
            until.set(members.userName, Date.now() + 1500)
            return members
          },
          signIn: ({ matches, account }) =>
            matches && Date.now() < (until.get(account?.userName) ?? Infinity) ? account : undefined,
        }
      },
    },
  ),
  ...breaking(violates, asIs, {
    'taken-email-adds-a-password: A registration of a taken address is rejected, and its password opens the account too.':
      addingPassword((errors) => !isOfPassword(errors)),
    'taken-email-adds-a-weak-password: A weak password that is rejected together with a taken address opens the account of that address.':
      addingPassword(isOfPassword),
  }),
  ...breaking({ violates: ['4.1-credentials'], needs: 'other-policy' }, asIs, {
    'password-of-the-address: Where addresses may be used again, the password of one account opens all of its address.':
      () => {
        const passwords = new Map<unknown, Set<unknown>>()
        return {
          newAccount: (members) => {
            const known = passwords.get(members.email) ?? new Set()
            passwords.set(members.email, known.add(members.password))
            return members
          },
          signIn: ({ matches, account, password }) =>
            matches || passwords.get(account?.email)?.has(password) ? account : undefined,
        }
      },
  }),
  ...breaking({ violates, needs: 'other-policy' }, asIs, {
    'second-of-an-address-without-login: Where addresses may be used again, the first account of each alone logs in.':
      ownedBy('first'),
    'first-of-an-address-removed: Where addresses may be used again, the last account of each is the only one.':
      ownedBy('last'),
    'refused-name-stored: An account whose user name is refused is stored anyway.':
      storedIfOnly(/^User name .* invalid/),
    'email-kept-for-refused-name: The address of a registration with a refused user name stays taken.':
      keeping('email', isOfName),
  }),
  ...breaking(['7-one-per-violation'], asIs, {
    'taken-email-hides-password: Where the address is taken, nothing is said of the password.': {
      rejectedBody: (errors) => ({ errors: isOfEmail(errors) ? errors.filter(notOfPassword) : errors }),
    },
    'taken-email-asks-for-a-digit: Where the address is taken, a digit is asked for as well.': {
      rejectedBody: (errors) => ({ errors: isOfEmail(errors) ? [...errors, LISTED_MESSAGES.digit] : errors }),
    },
    'long-password-is-weak: A password of more than 20 characters that is rejected is only said to be weak.':
      () => {
        const { behaviour, latest } = watching()
        return {
          ...behaviour,
          rejectedBody: (errors) => ({
            errors: latest.password.length > 20 && isOfPassword(errors) ? ['Password: weak.'] : errors,
          }),
        }
      },
    'taken-name-hides-password: Where the user name is taken, nothing is said of the password.': {
      rejectedBody: (errors) => ({ errors: isOfName(errors) ? errors.filter(notOfPassword) : errors }),
    },
  }),
  ...breaking({ violates: ['7-one-per-violation'], collateral: ['8-R2'], needs: 'other-policy' }, asIs, {
    'refused-name-asks-for-a-digit: Where the user name is refused, a digit is asked for as well.': {
      rejectedBody: (errors) => ({
        errors: errors.some((error) => /^User name .* invalid/.test(error))
          ? [...errors, LISTED_MESSAGES.digit]
          : errors,
      }),
    },
  }),
  ...breaking(['8-unique-email'], asIs, {
    'email-taken-for-one-password: An address is taken only for the password that it was registered with.':
      () => {
        const { behaviour, latest } = watching()
        const passwords = new Map<string, string>()
        const isOther = (errors: readonly string[]): boolean =>
          errors.every((error) => /^Email .* taken/.test(error)) &&
          passwords.get(latest.email) !== latest.password
        return {
          ...behaviour,
          storesAccount: (errors) => {
            if (errors.length > 0) return isOther(errors)
            passwords.set(latest.email, latest.password)
            return true
          },
          reportsSuccess: (errors) => errors.length === 0 || isOther(errors),
        }
      },
  }),
]

function notOfPassword(error: string): boolean {
  return !isOfPassword([error])
}

interface LatestAttempt {
  userName: string
  email: string
  password: string
}

/** What the latest registration asks for: it is looked at in one go, up to whether it is stored. */
function watching() {
  const latest: LatestAttempt = { userName: '', email: '', password: '' }
  const behaviour = {
    violatedRules: (password, policy) => {
      latest.password = password
      return violatedRules(password, policy)
    },
    allowsUserName: (userName, policy) => {
      latest.userName = userName
      return allowsUserName(userName, policy)
    },
    allowsEmail: (email) => {
      latest.email = email
      return true
    },
  } satisfies Partial<typeof specifiedBehaviour>
  return { latest, behaviour }
}

/** A name or an address is refused for good once a registration of it was rejected for such reasons. */
function keeping(what: 'userName' | 'email', isKept: (errors: readonly string[]) => boolean): () => Override {
  return () => {
    const { behaviour, latest } = watching()
    const kept = new Set<string>()
    let isUnique = true
    let count = 0
    return {
      ...behaviour,
      // Where addresses need not be unique, they are looked at all the same, and none is another's.
      mustBeUnique: (_, policy) => {
        isUnique = policy.uniqueEmail
        return true
      },
      emailKey: (email) => (isUnique ? email : `${email} ${count++}`),
      allowsUserName: (userName, policy) =>
        behaviour.allowsUserName(userName, policy) && !(what === 'userName' && kept.has(userName)),
      allowsEmail: (email) => behaviour.allowsEmail(email) && !(what === 'email' && kept.has(email)),
      storesAccount: (errors) => {
        if (isKept(errors)) kept.add(latest[what])
        return errors.length === 0
      },
    }
  }
}

/** The password of a registration that is rejected for its address, and so, opens the account of that address too. */
function addingPassword(isAdded: (errors: readonly string[]) => boolean): () => Override {
  return () => {
    const { behaviour, latest } = watching()
    const added = new Map<string, Set<string>>()
    return {
      ...behaviour,
      storesAccount: (errors) => {
        const known = added.get(latest.email) ?? new Set()
        if (isOfEmail(errors) && isAdded(errors)) added.set(latest.email, known.add(latest.password))
        return errors.length === 0
      },
      signIn: ({ matches, account, password = '' }) =>
        matches || added.get(account?.email ?? '')?.has(password) ? account : undefined,
    }
  }
}

/** Of the accounts of one address, the first or the last one alone logs in. */
function ownedBy(which: 'first' | 'last'): () => Override {
  return () => {
    const owners = new Map<unknown, unknown>()
    return {
      newAccount: (members) => {
        if (which === 'last' || !owners.has(members.email)) owners.set(members.email, members.userName)
        return members
      },
      signIn: ({ matches, account }) => {
        const owner = owners.get(account?.email)
        return matches && (owner === undefined || owner === account?.userName) ? account : undefined
      },
    }
  }
}
