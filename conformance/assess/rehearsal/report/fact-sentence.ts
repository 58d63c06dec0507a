import type { RehearsedFact } from '../../../../spec/generated/types/rehearsal.js'
import type { JudgedFact } from '../expectations/judge-facts.js'
import { factValue } from '../facts/observed-fact.js'

const WORDS: Readonly<Record<RehearsedFact['about'], string>> = {
  'bad-token': 'a token that no one issued',
  challenge: 'the refusal of a bad token',
  'altered-token': 'an issued token with a letter changed',
  'revoked-token': 'a revoked token',
  'revoked-restarted': 'a revoked token after a restart',
  'refresh-twice': 'a refresh token',
  'refresh-chain': 'the refresh token of a refresh',
  'refresh-rotation': 'a refresh',
  'refresh-members': 'the answer to a refresh',
  'refresh-instance': 'a refresh token',
  'refresh-other': 'a refresh token',
  'refresh-restarted': 'a refresh token',
  'refresh-ended': 'a refresh token',
  cors: 'a page of another origin',
}

/** What a fact shows, beside what the old service shows, as one sentence. */
export function factSentence({ fact, expected }: JudgedFact): string {
  const { about, of, like } = fact
  const at = about === 'cors' ? `${WORDS.cors} (${like})` : WORDS[about]
  const shown = `${of}: ${at}: ${factValue(fact)}`
  return expected === undefined ? shown : `${shown}; the old service: ${expected}`
}
