import type { Explanations } from '../generated/types/explanations.js'
import { explanations } from '../generated/validators.js'
import { SpecError } from './position.js'
import { readPositioned } from './positioned.js'
import { readTextFile } from './read-text-file.js'
import type { Parsed } from './specification-files.js'
import { violations } from './validator.js'

/** Reads `explanations.yaml`. @throws SpecError with every finding */
export function readExplanations(folder: string): Parsed<Explanations> {
  const file = 'explanations.yaml'
  const text = readTextFile(`${folder}/${file}`, 'a file of the specification')
  const document = readPositioned(`spec/${file}`, text)
  const { value } = document
  if (!explanations(value)) throw new SpecError(violations(explanations, value, document))
  return { ...document, value }
}
