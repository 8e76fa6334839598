--- agent_run_open
-- An agent has one run in a folder that is not over; if a log from outside says otherwise, the latest counts.
select * from agent_runs
where agent_id = :agent_id and folder = :folder and status in ('running', 'paused')
order by began_at desc, agent_run_id desc
limit 1

--- agent_run_place
select began_at from agent_runs where agent_run_id = :agent_run_id

--- agent_runs_list
-- The latest first, with what was answered to the latest review.
select a.*, coalesce(m.body, '') as response_markdown
from agent_runs a left join messages m on m.message_id = a.response_message
where a.began_at > ''
  and a.agent_id = :agent_id -- if :agent_id
  and a.status = :status -- if :status
  and a.agent_run_id = :agent_run_id -- if :agent_run_id
  -- if :before_at (
  and a.began_at <= :before_at and (a.began_at < :before_at or a.agent_run_id < :before_id)
  -- )
order by a.began_at desc, a.agent_run_id desc
limit :limit

--- agent_runs_unasked
-- Paused runs whose review nobody can decide.
select a.* from agent_runs a
where a.status = 'paused' and not exists (
  select 1 from requests r where r.thread_id = a.request_id and r.is_open = 1)
order by a.began_at, a.agent_run_id
limit :limit

--- request_of_review
select * from requests
where requester = :requester and review_id = :review_id and review_id <> ''
