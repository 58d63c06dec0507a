require 'json'
require 'oauth2'

client = OAuth2::Client.new('client', 'secret', token_url: "#{ENV['TOKEN_ASSAY_URL']}/Token")
token = client.password.get_token(ENV['TOKEN_ASSAY_USER_NAME'], ENV['TOKEN_ASSAY_PASSWORD'])
token.get(ENV['TOKEN_ASSAY_RESOURCE_URL'])
puts({ userName: token.params['userName'], expiresAt: token.params['.expires'] }.to_json)
