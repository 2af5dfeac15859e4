#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets. Existing files stay as they are.
set -eu
umask 022
cd "$(dirname "$0")"
mkdir -p secrets
# Only the owner may enter the folder. The files can be read by the users of the containers, into which Docker mounts them.
chmod 700 secrets

create() {
  [ -s "secrets/$1" ] || printf '%s' "$2" >"secrets/$1"
}

create database_password "$(openssl rand -hex 24)"
create database_url "postgres://tidemark:$(cat secrets/database_password)@database:5432/tidemark"
create session_secret "$(openssl rand -hex 32)"
create metrics_token "$(openssl rand -hex 24)"
echo "The secrets are in deploy/secrets. Keep a copy: without session_secret, users with two-factor sign-in are locked out."
