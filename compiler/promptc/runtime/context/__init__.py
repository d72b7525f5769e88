"""What happens to a conversation before every model call, from the mildest step to the most destructive one."""
