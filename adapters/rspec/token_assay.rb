# Every case of Token Assay as an example of RSpec. See docs/in-your-tests/rspec.md.
#
# What a case means is decided by the command: the last line of its ndjson report lists the tests. Here they are only handed to
# RSpec. A stream without that line, or a command that ends otherwise than with a verdict, is an example that fails.

require 'json'
require 'open3'
require 'shellwords'

module TokenAssay
  VERDICTS = [0, 1, 3].freeze

  # The command: `token-assay`, or the words of the variable TOKEN_ASSAY.
  def self.command
    Shellwords.split(ENV.fetch('TOKEN_ASSAY', 'token-assay'))
  end

  # Runs `token-assay run ARGUMENTS…`. @return its tests, and one more that has failed where the run itself did
  def self.tests(*arguments, env: {})
    stream, status = Open3.capture2(env, *command, 'run', *arguments, '--quiet', '--reporter', 'ndjson')
    return [failure("token-assay gave no verdict: #{status}")] unless VERDICTS.include?(status.exitstatus)

    footer = parse(stream.lines.last)
    return [failure('the report has no last line: the run was killed, or its output was cut')] if footer.nil?

    tests = footer['tests'] || []
    return [failure('the report has no tests')] if tests.empty?

    red = tests.any? { |test| test['status'] == 'failed' }
    status.success? || red ? tests : [*tests, failure("token-assay ended with #{status}")]
  rescue SystemCallError => error
    [failure(error.message)]
  end

  # Adds the examples to a group: `TokenAssay.examples(self, 'http://127.0.0.1:8080', '--user-name', 'alice')`.
  def self.examples(group, *arguments, env: {})
    # Of the line of this call, which an editor may run alone.
    place = caller
    tests(*arguments, env: env).each do |test|
      group.it(test['id'], caller: place) do
        skip test['message'] if test['status'] == 'skipped'
        raise RSpec::Expectations::ExpectationNotMetError, "#{test['title']}\n#{test['text']}" unless test['status'] == 'passed'
      end
    end
  end

  # Starts `token-assay serve ARGUMENTS…` on a free port. It ends with this process. @return its base URL
  def self.reference_server(*arguments, env: {})
    words = [*command, 'serve', '--port', '0', '--log-level', 'error', '--end-with-stdin', *arguments]
    # Its standard input closes with this process, however that ends.
    server = IO.popen([env, *words], 'r+')
    at_exit do
      Process.kill('INT', server.pid)
      server.close
    end
    url = server.gets or raise 'token-assay serve ended without a base URL'
    url.chomp
  end

  def self.parse(line)
    footer = JSON.parse(line.to_s)
    footer if footer['type'] == 'footer'
  rescue JSON::ParserError
    nil
  end

  def self.failure(text)
    { 'id' => 'the run', 'title' => 'the run has a verdict', 'status' => 'failed', 'text' => text }
  end
  private_class_method :parse, :failure
end
