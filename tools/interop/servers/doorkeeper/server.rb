# Doorkeeper on Rails in one file, with SQLite in memory, as its guides set it up: the tables of its generator, an initializer
# with the password grant, a user model with has_secure_password, and Puma. Configured for the contract by its path and its
# lifetime; everything else is as the generated initializer has it.
ENV['RAILS_ENV'] = 'production'
# One connection, so that all threads see one database.
ENV['DATABASE_URL'] = 'sqlite3::memory:?pool=1'

require 'active_record/railtie'
require 'action_controller/railtie'
require 'active_support/core_ext/integer/time'
require 'doorkeeper'
require 'puma'
require 'puma/launcher'

class App < Rails::Application
  config.load_defaults 6.1
  config.eager_load = false
  config.secret_key_base = 'only-for-this-run'
  config.logger = Logger.new(IO::NULL)
  config.hosts = nil
end

Doorkeeper.configure do
  orm :active_record
  grant_flows %w[password]
  access_token_expires_in 14.days
  resource_owner_from_credentials do |_routes|
    user = User.find_by(username: params[:username])
    user if user&.authenticate(params[:password])
  end
end

App.initialize!

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:users) { |t| t.string :username, :password_digest }
  create_table :oauth_applications do |t|
    t.string :name, :uid, :secret, null: false
    t.text :redirect_uri
    t.string :scopes, null: false, default: ''
    t.boolean :confidential, null: false, default: true
    t.timestamps null: false
  end
  create_table :oauth_access_tokens do |t|
    t.bigint :resource_owner_id
    t.bigint :application_id, null: false
    t.string :token, null: false, index: { unique: true }
    t.string :refresh_token, :scopes
    t.integer :expires_in
    t.datetime :revoked_at
    t.datetime :created_at, null: false
    t.string :previous_refresh_token, null: false, default: ''
  end
end

# A run signs in hundreds of times.
ActiveModel::SecurePassword.min_cost = true
class User < ActiveRecord::Base
  has_secure_password
end

App.routes.draw { post '/Token', to: 'doorkeeper/tokens#create' }

User.create!(username: 'alice', password: ENV.fetch('ALICE_PASSWORD'))
User.create!(username: 'Zoë Straße', password: ENV.fetch('ZOE_PASSWORD'))
Doorkeeper::Application.create!(
  name: 'The client', uid: 'client', secret: ENV.fetch('CLIENT_SECRET'), redirect_uri: 'https://client.example/',
)

# Puma's threads take it from here.
ActiveRecord::Base.clear_active_connections!

configuration = Puma::Configuration.new do |puma|
  puma.bind "tcp://127.0.0.1:#{ENV.fetch('PORT')}"
  puma.app App
end
Puma::Launcher.new(configuration, events: Puma::Events.strings).run
