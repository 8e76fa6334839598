-- In which session of its program an agent is at work, as the program's hooks say it. Outside the log: true for
-- a moment, and only to lead back from what was pushed in it.
create table turns (
  agent_id text not null,
  session text not null,
  backend text not null,
  -- Empty when it is not known here.
  folder text not null,
  began_at text not null,
  primary key (agent_id, session)
);
