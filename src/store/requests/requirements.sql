--- requirements_all
-- A requirement that was removed does not hold.
select * from requirements
where removed_at is null
  and applies_to in (:holders...) -- if :holders
order by applies_to, requires, requirement_id
