require_relative 'token_assay'

# A right service, which is the reference server here: put the base URL of your own in its place.
RSpec.describe 'the contract' do
  env = { 'TOKEN_ASSAY_PASSWORD' => 'Correct-horse-1' }
  wrong = ENV['EXAMPLE_MUTANT'] ? ['--mutant', ENV['EXAMPLE_MUTANT']] : []
  url = TokenAssay.reference_server('--user-name', 'alice', '--hashing', 'fast', *wrong, env: env)
  TokenAssay.examples(self, url, '--user-name', 'alice', '--effort', 'quick', env: env)
end
